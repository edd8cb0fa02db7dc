/** The little that is used of the HTTP server inside serverless-offline. */
export interface HapiServer {
  settings: { compression: unknown }
  table(): { settings: { cache: unknown; response: { ranges: boolean } } }[]
  ext(
    event: 'onRequest' | 'onPreResponse',
    method: (request: HapiRequest, toolkit: HapiToolkit) => symbol,
  ): void
}

interface HapiRequest {
  headers: Record<string, string | undefined>
  raw: { req: { url?: string } }
  response: { charset?: (name: string) => void }
  setUrl(url: string, stripTrailingSlash: boolean): void
}

interface HapiToolkit {
  continue: symbol
}

/** What hapi would act on by itself: CORS, conditional and partial answers, cookies it can't parse. */
const HEADERS_FOR_FUNCTIONS_ONLY = ['origin', 'if-none-match', 'if-modified-since', 'range', 'cookie']

const TRAILING_SLASH = /^[^?#]+\/(?=[?#]|$)/

/** Keeps the emulated gateway from doing what API Gateway doesn't do: every answer is the functions' own. */
export function behaveLikeApiGateway(server: HapiServer): void {
  server.settings.compression = false
  for (const route of server.table()) {
    route.settings.cache = false
    route.settings.response.ranges = false
  }
  server.ext('onRequest', (request, toolkit) => {
    // The functions are given the headers as they came; only hapi looks at this copy.
    for (const name of HEADERS_FOR_FUNCTIONS_ONLY) delete request.headers[name]
    const { url = '/' } = request.raw.req
    // To API Gateway `/v1/token-events/` is another path than `/v1/token-events`.
    if (TRAILING_SLASH.test(url)) request.setUrl(url, false)
    return toolkit.continue
  })
  server.ext('onPreResponse', (request, toolkit) => {
    request.response.charset?.('')
    return toolkit.continue
  })
}
