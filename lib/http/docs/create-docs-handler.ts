import middy from '@middy/core'
import { baseUrlOf } from '../base-url.ts'
import { KEPT_FOR_MINUTES } from '../cache-control.ts'
import { preflightResponse } from '../cors.ts'
import { type BoundaryOptions, type Call, httpBoundary } from '../http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from '../http-errors.ts'
import type { HttpRequest } from '../http-request.ts'
import { isReading } from '../methods.ts'
import { type HttpResponse, textResponse } from '../response.ts'
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

/** The Lambda handler of the documentation: its page, what the page loads, and the OpenAPI document. */
export function createDocsHandler({ readAsset, ...options }: DocsOptions) {
  async function answer(request: HttpRequest): Promise<HttpResponse> {
    const { document } = matchDocument(request.path) ?? {}
    if (document === undefined) throw new NotFoundError()
    if (request.method === 'OPTIONS') return preflightResponse()
    if (!isReading(request.method)) throw new MethodNotAllowedError()
    const baseUrl = baseUrlOf(request, options.publicBaseUrl)
    if (document === 'docs') return page(baseUrl)
    if (document === 'v1/openapi.json') return openapi(await readAsset('openapi.json'), baseUrl)
    const name = document.slice('docs/'.length)
    if (!isPageFile(name)) throw new NotFoundError()
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain'
    return textResponse(type, await readAsset(name), { 'Cache-Control': KEPT_FOR_MINUTES })
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
    'Cache-Control': KEPT_FOR_MINUTES,
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
    ["connect-src 'self'", URL.parse(baseUrl)?.origin ?? ''].join(' ').trimEnd(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The document, naming the service that it is read from. */
function openapi(text: string, baseUrl: string): HttpResponse {
  const document = { ...JSON.parse(text), servers: [{ url: baseUrl || '/', description: 'This service' }] }
  return textResponse('application/json', JSON.stringify(document), { 'Cache-Control': KEPT_FOR_MINUTES })
}
