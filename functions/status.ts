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
  // In Lambda, the working directory is the unpacked package, and in the local stack it is the repository.
  readAsset: assetReader(process.cwd(), PAGE_FILES),
  observer: createCallObserver(),
})
