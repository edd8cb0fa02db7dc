import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { readStatusConfig } from '../lib/http/function-config.ts'
import { PAGE_FILES } from '../lib/site/look/page-files.ts'
import { assetReader } from '../lib/site/look/read-asset.ts'
import { createStatusHandler } from '../lib/site/status/create-status-handler.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createCheckpointReader } from '../lib/store/reading/read-checkpoints.ts'

const config = readStatusConfig(process.env)

export const handler = createStatusHandler({
  ...config,
  readIndexedThrough: createCheckpointReader({ client: createClient(), ...config }),
  // In Lambda and in the local stack, the files have the same paths relative to the working directory.
  readAsset: assetReader(process.cwd(), PAGE_FILES),
  observer: createCallObserver(),
})
