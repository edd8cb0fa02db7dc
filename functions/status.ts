import { readStatusConfig } from '../lib/http/function-config.ts'
import { PAGE_FILES } from '../lib/http/look/page-files.ts'
import { assetReader } from '../lib/http/read-asset.ts'
import { createStatusHandler } from '../lib/http/status/create-status-handler.ts'
import { createCallObserver } from '../lib/observe/create-call-observer.ts'
import { createClient } from '../lib/store/create-client.ts'
import { createCheckpointReader } from '../lib/store/read-checkpoints.ts'

const { tableName, networks, publicBaseUrl, version, localContracts } = readStatusConfig(process.env)
// The working directory is the unpacked package in Lambda, and the repository in the local stack.
const readAsset = assetReader(process.cwd(), PAGE_FILES)
const readIndexedThrough = createCheckpointReader({ client: createClient(), tableName, networks })

export const handler = createStatusHandler({
  version,
  publicBaseUrl,
  readIndexedThrough,
  readAsset,
  localContracts,
  observer: createCallObserver(),
})
