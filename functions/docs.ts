import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'
import { createDocsHandler } from '../lib/site/docs/create-docs-handler.ts'
import { DOCS_FILES } from '../lib/site/look/page-files.ts'
import { assetReader } from '../lib/site/look/read-asset.ts'

export const handler = createDocsHandler({
  ...readBaseConfig(process.env),
  observer: createCallObserver(),
  // Both in Lambda and in the local stack, the files are below the working directory, at the same paths.
  readAsset: assetReader(process.cwd(), DOCS_FILES),
})
