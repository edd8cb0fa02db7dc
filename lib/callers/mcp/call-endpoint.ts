import { CHANGES_PATH } from '../../client/changes.ts'
import { ApiError, type Authorize, ConnectionError } from '../../client/create-events-client.ts'
import { readPageHeaders } from '../../client/page-headers.ts'
import { queryString } from '../../client/query.ts'
import { type Answer, parseList, send } from '../../client/send.ts'
import { STATUS, STATUS_PATH } from '../../client/status.ts'
import { explainAbsence } from '../../kit/explain-absence.ts'
import { type EndpointTool, PAGE_SIZE } from './endpoint-tools.ts'

export interface AskedService {
  /** The address of the service, without `/v1`. */
  baseUrl: string
  authorize: Authorize | undefined
  signal: AbortSignal
}

export type Arguments = Record<string, unknown>

/** Assistants wait a minute for a result, so two attempts plus a check of the address must fit into this minute. */
export const TIMEOUT_MS = 15_000
const RETRIES = 1
/** What error messages call the results of these two endpoints. All other endpoints return events. */
const NAMES: Record<string, 'changes' | 'status'> = { [CHANGES_PATH]: 'changes', [STATUS_PATH]: 'status' }

/**
 * Requests an endpoint, and returns the response's important headers, followed by its body. Does not validate the
 * arguments, because the service does. Throws an error that explains any failure.
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
      name: NAMES[tool.path] ?? 'events',
      read: (text, headers) => (isOwn(tool, text, headers) ? text : undefined),
    })
    // Every response of the service has a request id, so a response without an id comes from another server.
    if (!answer.headers.has('x-request-id')) throw new ApiError(200, undefined)
    return describeAnswer(tool, answer)
  } catch (error) {
    throw new Error(await explain(error, service), { cause: error })
  }
}

/** The media types of the formats other than JSON. No error page has one of these types. */
const OTHER_FORMATS = /^(text\/csv|application\/x-ndjson)/

/** A proxy may add a request id to its own error page, which must not be mistaken for the last page of events. */
function isOwn(tool: EndpointTool, text: string, headers: Headers): boolean {
  if (!tool.isPaged) return STATUS.read(text, headers) !== undefined
  return OTHER_FORMATS.test(headers.get('content-type') ?? '') || parseList(text, () => true) !== undefined
}

/** Throws if a required argument is missing. */
function targetOf({ name, path, isPaged, inputSchema }: EndpointTool, given: Arguments): string {
  const { required } = inputSchema
  // Some assistants send null for an omitted argument, or an empty string for a required one.
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const missing = required.filter(each => args[each] === undefined || args[each] === '')
  if (missing.length > 0) throw new Error(`${name} requires the argument ${missing.join(', ')}`)
  const inPath = required.filter(each => path.includes(`{${each}}`))
  const filled = inPath.reduce((text, each) => text.replace(`{${each}}`, () => segmentOf(args[each])), path)
  // Assistants repeat the same arguments with each cursor, but the feed refuses `from` together with a cursor.
  const replaced = path === CHANGES_PATH && 'cursor' in args ? ['from'] : []
  const inQuery = Object.entries(args).filter(([each]) => ![...inPath, ...replaced].includes(each))
  const defaults = isPaged && { limit: PAGE_SIZE }
  return filled + queryString({ ...defaults, ...Object.fromEntries(inQuery) })
}

const segmentOf = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

/** Puts the next cursor first, because programs that shorten long texts keep the beginning. */
function describeAnswer(tool: EndpointTool, { headers, body }: Answer<string>): string {
  const { next } = readPageHeaders(headers)
  return [
    ...(tool.isPaged
      ? [next === undefined ? 'next cursor: none, because this is the last page' : `next cursor: ${next}`]
      : []),
    ...tool.headers.flatMap(name => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])),
    body,
  ].join('\n')
}

const NOT_FOUND = 404

/** Also checks the address, because another server may have responded, or the service may be at a different path. */
async function explain(error: unknown, { baseUrl, ...options }: AskedService): Promise<string> {
  const isNoAnswer = error instanceof ConnectionError
  const isStrange = error instanceof ApiError && (!error.problem || error.status === NOT_FOUND)
  const absence =
    isNoAnswer || isStrange ? await explainAbsence(baseUrl, { ...options, timeoutMs: TIMEOUT_MS }) : undefined
  return absence ?? (error as Error).message
}
