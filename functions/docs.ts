import { createDocsHandler } from '../lib/http/docs/create-docs-handler.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'
import { DOCS_FILES } from '../lib/http/look/page-files.ts'
import { assetReader } from '../lib/http/read-asset.ts'
import { createCallObserver } from '../lib/observe/create-call-observer.ts'

const { publicBaseUrl } = readBaseConfig(process.env)
// The working directory is the unpacked package in Lambda, and the repository in the local stack.
const readAsset = assetReader(process.cwd(), DOCS_FILES)

export const handler = createDocsHandler({ publicBaseUrl, observer: createCallObserver(), readAsset })
