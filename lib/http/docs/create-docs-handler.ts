import middy from '@middy/core'
import { type BoundaryOptions, baseUrlOf, type Call, httpBoundary } from '../http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from '../http-errors.ts'
import type { HttpRequest } from '../http-request.ts'
import { type HttpResponse, optionsResponse, textResponse } from '../response.ts'
import { matchDocument } from '../route.ts'
import { docsPage } from './docs-page.ts'
import { type AssetName, isPageFile } from './read-asset.ts'

export interface DocsOptions extends Omit<BoundaryOptions, 'endpoint'> {
  readAsset: (name: AssetName) => Promise<string>
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Changes with a deployment only; whoever asks again names the tag, and is answered without a body. */
const CACHE_CONTROL = 'public, max-age=300'

/** The Lambda handler of the documentation: its page, what the page loads, and the OpenAPI document. */
export function createDocsHandler({ readAsset, ...options }: DocsOptions) {
  async function answer(request: HttpRequest): Promise<HttpResponse> {
    const { document } = matchDocument(request.path) ?? {}
    if (document === undefined) throw new NotFoundError()
    if (request.method === 'OPTIONS') return optionsResponse()
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowedError()
    const baseUrl = baseUrlOf(request, options.publicBaseUrl)
    if (document === 'docs') return page(baseUrl)
    if (document === 'v1/openapi.json') return openapi(await readAsset('openapi.json'), baseUrl)
    const name = document.slice('docs/'.length)
    if (!isPageFile(name)) throw new NotFoundError()
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain'
    return textResponse(type, await readAsset(name), { 'Cache-Control': CACHE_CONTROL })
  }

  return middy<Call, HttpResponse>()
    .use(httpBoundary(options))
    .handler(async (call: Call): Promise<HttpResponse> => {
      if (!('http' in call)) throw new NotFoundError()
      return answer(call.http)
    })
}

const page = (baseUrl: string) =>
  textResponse('text/html; charset=utf-8', docsPage(), {
    'Cache-Control': CACHE_CONTROL,
    'Content-Security-Policy': securityPolicy(baseUrl),
    'Referrer-Policy': 'no-referrer',
  })

/** Everything comes from here, and requests go nowhere else. Swagger UI has its icons as data URLs. */
const securityPolicy = (baseUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The document, naming the service that it is read from. */
function openapi(text: string, baseUrl: string): HttpResponse {
  const document = { ...JSON.parse(text), servers: [{ url: baseUrl, description: 'This service' }] }
  return textResponse('application/json', JSON.stringify(document), { 'Cache-Control': CACHE_CONTROL })
}
