import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { createChangesHandler } from '../../../lib/feed/create-changes-handler.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import type { Observer } from '../../../lib/http/observer.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import type { LambdaHandler } from '../../support/http/ask.ts'
import { httpEvent } from '../../support/http/http-events.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import type { Endpoint } from '../../support/requests/api-request.ts'
import type { Gate } from '../gate/gate.ts'
import type { SimTable } from './sim-table.ts'

export const SERVICE_URL = 'http://service.world'

export type SimService = ReturnType<typeof createSimService>

const FUNCTION_MS = 10_000
const PATIENCE_MS = 30_000

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html' }
/** A gateway, a proxy or a firewall sends these responses instead of the service. */
const INSTEAD = [
  () => instead(503, '{"message":"Service Unavailable"}', JSON_TYPE),
  () => instead(429, '{"message":"Too Many Requests"}', { ...JSON_TYPE, 'retry-after': '2' }),
  () => instead(502, '<html>Bad Gateway</html>', HTML_TYPE),
  () => instead(500, '{"message":"Internal Server Error"}', JSON_TYPE),
  () => instead(403, '<html>Forbidden</html>', HTML_TYPE),
  () => instead(410, '{"type":"about:blank","title":"Gone"}', JSON_TYPE),
]
const instead = (status: number, body: string, headers: Record<string, string>) =>
  new Response(body, { status, headers })

interface ServiceOptions {
  gate: Gate
  table: SimTable
  /** Called with each error that makes the service fail although its table answers. */
  onFailure: (error: unknown) => void
}

/** `fetch` reaches the service through a gateway. */
export function createSimService({ gate, table, onFailure }: ServiceOptions) {
  const observer: Observer = {
    answered: () => undefined,
    refused: () => undefined,
    failed: error => {
      // A request times out if the machine sleeps in the meantime.
      const isLate = (error as Error).name === 'TimeoutError'
      if (!isLate && !(error instanceof StoreUnavailableError)) onFailure(error)
    },
  }
  let instances = 0
  let functions = [start(), start()]

  function start() {
    instances += 1
    const where = table.where('reading')
    const store = createDynamoEventStore(where)
    const freshness = createFreshness(createCheckpointReader(where))
    const changeStore = createDynamoChangeStore(where)
    return {
      actor: gate.actor(`service ${instances}`, { isMortal: false }),
      ...queryFunctions({ store, freshness, observer }),
      changes: createChangesHandler({ store, observer, changeStore }) as unknown as LambdaHandler,
    }
  }

  async function answer(url: URL): Promise<Response> {
    const [, , name = '', address] = url.pathname.split('/')
    // Consecutive requests may reach different instances, each of which has its own cache.
    const instance = gate.random.pick(functions)
    const handler = instance[name as 'changes']
    if (!handler) return new Response('{"message":"Not Found"}', { status: 404 })
    const endsAt = gate.now() + FUNCTION_MS
    const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => endsAt - gate.now() }
    try {
      const event = httpEvent(
        { endpoint: name as Endpoint, ...(address && { address: decodeURIComponent(address) }), query: [] },
        { format: 'http-api', path: decodeURIComponent(url.pathname), rawQuery: url.search.slice(1) },
      )
      const result = (await gate.runAs(instance.actor, () =>
        handler(event, context as Context),
      )) as APIGatewayProxyStructuredResultV2 & { statusCode: number; headers: Record<string, string> }
      const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8')
      return new Response(body, { status: result.statusCode, headers: result.headers })
    } catch {
      return new Response('{"message":"Internal Server Error"}', { status: 500 })
    }
  }

  return {
    /** Replaces the functions' instances, so that nothing is cached. */
    restart() {
      functions = [start(), start()]
    },
    fetch: (async (input, { signal } = {}) => {
      const url = new URL(String(input))
      const title = `GET ${url.pathname}${describe(url)}`
      const lost = () => new TypeError('fetch failed')
      const way = { patienceMs: PATIENCE_MS, lost, timedOut: lost, signal, take: () => undefined }
      try {
        await gate.pass({ ...way, title, refusals: INSTEAD })
      } catch (error) {
        if (error instanceof Response) return error
        throw error
      }
      const response = await answer(url)
      await gate.pass({ ...way, title: `gets ${response.status} of ${title}` })
      return response
    }) satisfies typeof fetch,
  }
}

const describe = ({ searchParams }: URL) =>
  [...searchParams]
    .map(([name, value]) => ` ${name}=${name === 'cursor' ? '…' : value.slice(0, 50)}`)
    .join('')
