import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'
import { createDocsHandler } from '../lib/site/docs/create-docs-handler.ts'
import { DOCS_FILES } from '../lib/site/look/page-files.ts'
import { assetReader } from '../lib/site/look/read-asset.ts'

export const handler = createDocsHandler({
  ...readBaseConfig(process.env),
  observer: createCallObserver(),
  // In Lambda and in the local stack, the files have the same paths relative to the working directory.
  readAsset: assetReader(process.cwd(), DOCS_FILES),
})
