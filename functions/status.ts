import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { readStatusConfig } from '../lib/http/function-config.ts'
import { PAGE_FILES } from '../lib/site/look/page-files.ts'
import { assetReader } from '../lib/site/look/read-asset.ts'
import { createStatusHandler } from '../lib/site/status/create-status-handler.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createCheckpointReader } from '../lib/store/reading/read-checkpoints.ts'

const { tableName, networks, publicBaseUrl, version, localContracts, isLive } = readStatusConfig(process.env)
// In Lambda, the working directory is the unpacked package, and in the local stack it is the repository.
const readAsset = assetReader(process.cwd(), PAGE_FILES)
const readIndexedThrough = createCheckpointReader({ client: createClient(), tableName, networks })

export const handler = createStatusHandler({
  version,
  publicBaseUrl,
  readIndexedThrough,
  readAsset,
  localContracts,
  isLive,
  observer: createCallObserver(),
})
