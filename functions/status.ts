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
  // Both in Lambda and in the local stack, the files are below the working directory, at the same paths.
  readAsset: assetReader(process.cwd(), PAGE_FILES),
  observer: createCallObserver(),
})
