import { createDocsHandler } from '../lib/http/docs/create-docs-handler.ts'
import { DOCS_FILES } from '../lib/http/docs/docs-files.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'
import { assetReader } from '../lib/http/read-asset.ts'
import { createCallObserver } from '../lib/observe/create-call-observer.ts'

const { publicBaseUrl } = readBaseConfig(process.env)
// In Lambda this is the folder that the package was unpacked into; in the local stack, the repository.
const readAsset = assetReader(process.cwd(), DOCS_FILES)

export const handler = createDocsHandler({ publicBaseUrl, observer: createCallObserver(), readAsset })
