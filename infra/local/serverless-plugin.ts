/**
 * In every command of the framework: refuses stages and parameters whose names are mistyped. In `serverless
 * offline`, for `npm start`: tells the process that started it the names of the query functions once requests
 * are accepted, ends with it, and keeps the emulated gateway from doing what API Gateway doesn't do.
 */
import { exit } from 'node:process'
import { stop as stopEsbuild } from 'esbuild'
import { findWrongSetting, type Settings } from '../deploy/find-wrong-setting.ts'
import { nameInvocationErrors } from './name-invocation-errors.ts'

interface Serverless {
  service: { getFunction(key: string): { name: string } }
  configurationInput: Pick<Settings, 'params'>
  /** Errors of this class are told without a stack. */
  classes: { Error: new (message: string, code: string) => Error }
  pluginManager: { plugins: { internals?: () => { getApiGatewayServer(): HapiServer } }[] }
}

/** The little that is used of the HTTP server inside serverless-offline. */
interface HapiServer {
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

/** Those that other services invoke, by their keys in serverless.yml. */
const QUERY_FUNCTIONS = ['userEvents', 'tokenEvents']

/** What hapi would act on by itself: CORS, conditional and partial answers, cookies it can't parse. */
const HEADERS_FOR_FUNCTIONS_ONLY = ['origin', 'if-none-match', 'if-modified-since', 'range', 'cookie']

const TRAILING_SLASH = /^[^?#]+\/(?=[?#]|$)/

interface CommandLine {
  stage?: string
  param?: (string | null)[]
}

export default function serverlessPlugin(serverless: Serverless, { stage, param }: CommandLine) {
  const { params } = serverless.configurationInput
  const wrong = findWrongSetting({ params, stage, given: param })
  if (wrong !== undefined) throw new serverless.classes.Error(wrong, 'WRONG_SETTING')
  return {
    hooks: {
      'before:offline:start:init': async () => {
        endWithParent()
        await nameInvocationErrors()
      },
      'after:offline:start:init': async () => {
        // The functions are bundled; its process would only wait for a next time.
        await stopEsbuild()
        behaveLikeApiGateway(gatewayOf(serverless))
        process.send?.(QUERY_FUNCTIONS.map(key => serverless.service.getFunction(key).name))
      },
    },
  }
}

function endWithParent() {
  if (!process.send) return
  process.once('disconnect', () => exit(0))
  if (!process.connected) exit(0)
}

function gatewayOf(serverless: Serverless): HapiServer {
  const offline = serverless.pluginManager.plugins.find(plugin => plugin.internals)
  if (!offline?.internals) throw new Error('This version of serverless-offline gives no access to its server')
  return offline.internals().getApiGatewayServer()
}

function behaveLikeApiGateway(server: HapiServer) {
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
