import { KEPT_FOR_MINUTES } from '../../http/cache-control.ts'
import { isReading, preflightResponse } from '../../http/cors.ts'
import { type BoundaryOptions, httpHandler } from '../../http/http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from '../../http/problems.ts'
import { type HttpResponse, redirectResponse, textResponse } from '../../http/response.ts'
import { baseUrlOf, matchDocument } from '../../http/route.ts'
import { type DOCS_FILES, DOCS_PAGE_FILES, WRITTEN_BASE_URL } from '../look/page-files.ts'
import { pageResponse } from '../look/page-response.ts'
import { assetResponse, type ReadAsset } from '../look/read-asset.ts'

export interface DocsOptions extends Omit<BoundaryOptions, 'endpoint'> {
  readAsset: ReadAsset<keyof typeof DOCS_FILES>
}

/** Creates the Lambda handler of the documentation page, the page's files, the OpenAPI document and `/llms.txt`. */
export function createDocsHandler({ readAsset, ...options }: DocsOptions) {
  return httpHandler(options, async request => {
    const { document } = matchDocument(request.path) ?? {}
    if (document === undefined) throw new NotFoundError()
    if (request.method === 'OPTIONS') return preflightResponse()
    if (!isReading(request.method)) throw new MethodNotAllowedError()
    const baseUrl = baseUrlOf(request, options.publicBaseUrl)
    if (document === 'docs') return pageResponse(await docsPage(readAsset, baseUrl), baseUrl)
    if (document === 'docs/') return redirectResponse(`${baseUrl}/docs`)
    if (document === 'v1/openapi.json') return openapi(await readAsset('openapi.json'), baseUrl)
    if (document === 'llms.txt') return llms(await readAsset('llms.txt'), baseUrl)
    if (!document.startsWith('docs/')) throw new NotFoundError()
    return assetResponse(document.slice('docs/'.length), { files: DOCS_PAGE_FILES, readAsset })
  })
}

/** The build has already rendered the whole reference, so the page's script only needs to send requests. */
async function docsPage(readAsset: DocsOptions['readAsset'], baseUrl: string) {
  const reference = (await readAsset('reference.html')).replaceAll(WRITTEN_BASE_URL, () => inHtml(baseUrl))
  return {
    title: 'Documentation · Blockchain events',
    description: 'What happened on chain to this wallet, or to this token? The API reference.',
    folder: 'docs',
    current: 'docs',
    styles: 'docs.css',
    script: 'docs.js',
    readAsset,
    skip: '<a class="skip" href="#reference">Skip to the reference</a>',
    body: `<div class="page">
${reference}</div>
<p id="told" class="unseen" role="status"></p>`,
  } as const
}

/** The base URL comes from the gateway's event or from a setting, so it must be escaped. */
const inHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

function openapi(text: string, baseUrl: string): HttpResponse {
  const document = { ...JSON.parse(text), servers: [{ url: baseUrl || '/', description: 'This service' }] }
  return textResponse('application/json', JSON.stringify(document), { 'Cache-Control': KEPT_FOR_MINUTES })
}

/** Sends the Markdown (https://llmstxt.org) as plain text, because browsers download `text/markdown`. */
function llms(text: string, baseUrl: string): HttpResponse {
  // The replacement is a function, because `$` has a special meaning in a replacement string.
  const body = text.replaceAll(WRITTEN_BASE_URL, () => baseUrl)
  return textResponse('text/plain; charset=utf-8', body, { 'Cache-Control': KEPT_FOR_MINUTES })
}
