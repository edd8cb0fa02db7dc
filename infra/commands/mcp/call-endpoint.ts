import { ApiError, type Authorize, ConnectionError } from '../../../lib/client/create-events-client.ts'
import { placeOfPage } from '../../../lib/client/place-of-page.ts'
import { queryString } from '../../../lib/client/query.ts'
import { type Answer, send } from '../../../lib/client/send.ts'
import { explainAbsence } from '../shared/explain-absence.ts'
import { type EndpointTool, PAGE_SIZE } from './endpoint-tools.ts'

/** The service that tools ask. */
export interface AskedService {
  /** Its address, without /v1. */
  baseUrl: string
  authorize: Authorize | undefined
  /** Ends what is under way. */
  signal: AbortSignal
}

/** The arguments of a call as an assistant gives them. */
export type Arguments = Record<string, unknown>

/** Programs with an assistant wait for a minute: two attempts and a look at the address take less. */
export const TIMEOUT_MS = 15_000
const RETRIES = 1

/**
 * Asks an endpoint. Returns what the headers of the answer tell, and the body below. Throws an error whose sentence says
 * what is wrong. Names and values go to the service as they are, which judges them.
 */
export async function callEndpoint(
  tool: EndpointTool,
  given: Arguments,
  service: AskedService,
): Promise<string> {
  const target = targetOf(tool, given)
  try {
    const answer = await send(service.baseUrl.replace(/\/+$/, '') + target, {
      ...service,
      retries: RETRIES,
      timeoutMs: TIMEOUT_MS,
      fetch,
      accept: 'application/json',
      name: 'events',
      read: text => text,
    })
    // All answers of the service have this header.
    if (!answer.headers.has('x-request-id')) throw new ApiError(200, undefined)
    return describeAnswer(tool, answer)
  } catch (error) {
    throw new Error(await explain(error, service), { cause: error })
  }
}

/** The path and the query of a request. */
function targetOf({ name, path, inputSchema }: EndpointTool, given: Arguments): string {
  const { required, properties } = inputSchema
  // Some assistants give null for what they leave out.
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const missing = required.filter(each => !(each in args))
  if (missing.length > 0) throw new Error(`${name} needs ${missing.join(', ')}`)
  const inPath = required.filter(each => path.includes(`{${each}}`))
  const filled = inPath.reduce((text, each) => text.replace(`{${each}}`, () => segmentOf(args[each])), path)
  const inQuery = Object.entries(args).filter(([each]) => !inPath.includes(each))
  const defaults = 'limit' in properties && { limit: PAGE_SIZE }
  return filled + queryString({ ...defaults, ...Object.fromEntries(inQuery) })
}

const segmentOf = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

/** Where to go on comes first: programs that shorten long texts keep the beginning. */
function describeAnswer({ headers: told, inputSchema }: EndpointTool, answer: Answer<string>): string {
  const { headers, body } = answer
  const { next } = placeOfPage(headers)
  const isPaged = 'cursor' in inputSchema.properties
  const lines = [
    ...(isPaged ? [next === undefined ? 'next cursor: none, this is the end' : `next cursor: ${next}`] : []),
    ...told.flatMap(name => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])),
  ]
  return [...lines, body].join('\n')
}

const NOT_FOUND = 404

/** Where it may not be the service that has answered, or not at its own address, the address is looked at. */
async function explain(error: unknown, { baseUrl, ...options }: AskedService): Promise<string> {
  const isNoAnswer = error instanceof ConnectionError
  const isStrange = error instanceof ApiError && (!error.problem || error.status === NOT_FOUND)
  const absence =
    isNoAnswer || isStrange ? await explainAbsence(baseUrl, { ...options, timeoutMs: TIMEOUT_MS }) : undefined
  return absence ?? (error as Error).message
}
