import { readStatusConfig } from '../lib/http/function-config.ts'
import { PAGE_FILES } from '../lib/http/page/page-files.ts'
import { assetReader } from '../lib/http/read-asset.ts'
import { createStatusHandler } from '../lib/http/status/create-status-handler.ts'
import { createCallObserver } from '../lib/observe/create-call-observer.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createCheckpointReader } from '../lib/store/read-checkpoints.ts'

const { tableName, publicBaseUrl, version } = readStatusConfig(process.env)
// In Lambda this is the folder that the package was unpacked into; in the local stack, the repository.
const readAsset = assetReader(process.cwd(), PAGE_FILES)
const readIndexedThrough = createCheckpointReader({ client: createClient(), tableName })

export const handler = createStatusHandler({
  version,
  publicBaseUrl,
  readIndexedThrough,
  readAsset,
  observer: createCallObserver(),
})
