import {
  ApiError,
  type ApiProblem,
  ConnectionError,
  CursorExpiredError,
  InvalidParametersError,
  NotIndexedYetError,
  UnavailableError,
} from './client-errors.ts'

/** The headers that show who asks, for the request to that address. */
export type Authorize = (request: { method: string; url: string }) => HeaderSource | Promise<HeaderSource>

type HeaderSource = Record<string, string>

/** What is asked for, and how the answer is known to be that. */
export interface Wanted<Body> {
  /** The media type. */
  accept: string
  /** What it is called where an answer is none. */
  name: 'events' | 'changes' | 'status'
  /** Undefined for what is none. */
  read: (text: string) => Body | undefined
}

export interface SendOptions {
  /** Stops the request, and the waiting between attempts; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Attempts after the first one that failed for a reason that passes. */
  retries: number
  /** For one attempt, its body included. */
  timeoutMs: number
  /** For so long it is asked again while a network is not indexed as far as `minBlock` asks for; not at all by default. */
  waitForBlockMs?: number | undefined
  fetch: typeof fetch
  /** Asked before each attempt, so that a token may be renewed. */
  authorize?: Authorize | undefined
}

export interface Answer<Body> {
  headers: Headers
  body: Body
}

/** The service, or a gateway in front of it, may do better a little later. */
const PASSING = [429, 502, 503, 504]
const FIRST_WAIT_MS = 200
/** Nobody is kept waiting for longer, whatever `Retry-After` says. */
const MAX_WAIT_MS = 30_000
/** Until a block may be indexed, where the service does not say. */
const BLOCK_WAIT_MS = 1000

/**
 * Asks until there is an answer: again after errors that pass, no sooner than `Retry-After` says. Throws
 * `InvalidParametersError`, `CursorExpiredError`, `NotIndexedYetError`, `UnavailableError`, another `ApiError`,
 * `ConnectionError`, or what aborted it.
 */
export async function send<Body>(url: string, options: SendOptions & Wanted<Body>): Promise<Answer<Body>> {
  const { signal, retries, waitForBlockMs = 0 } = options
  const waitUntil = performance.now() + waitForBlockMs
  for (let attempt = 0; ; ) {
    const { answer, error, waitMs = 0 } = await attemptOnce(url, options)
    if (answer) return answer
    signal?.throwIfAborted()
    const isEarly = error instanceof NotIndexedYetError
    const passes = error instanceof UnavailableError || error instanceof ConnectionError
    const leastMs = isEarly ? waitMs || BLOCK_WAIT_MS : Math.max(waitMs, backoffMs(attempt))
    const pauseMs = Math.min(leastMs, MAX_WAIT_MS)
    const mayGoOn = isEarly ? performance.now() + pauseMs <= waitUntil : passes && attempt < retries
    if (!mayGoOn) throw error
    // Who says that it is too early is neither overloaded nor out of reach.
    attempt = isEarly ? 0 : attempt + 1
    await wait(pauseMs, signal)
  }
}

interface Attempt<Body> {
  answer?: Answer<Body>
  error?: unknown
  waitMs?: number
}

async function attemptOnce<Body>(
  url: string,
  { signal, timeoutMs, fetch, authorize, accept, name, read }: SendOptions & Wanted<Body>,
): Promise<Attempt<Body>> {
  const authorization = await authorize?.({ method: 'GET', url })
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { accept, ...authorization },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const { status, headers } = response
    const text = await response.text()
    if (!response.ok) {
      const problem = problemIn(parseJson(text))
      return { error: errorOf(status, problem), waitMs: retryAfterMs(headers.get('retry-after')) }
    }
    const body = read(text)
    if (body === undefined) return { error: new ApiError(status, undefined, notWanted(name)) }
    return { answer: { headers, body } }
  } catch (cause) {
    return { error: new ConnectionError(url, cause) }
  }
}

const notWanted = (name: string) =>
  `The answer was 200, but holds no ${name}: is it the address of this service?`

function errorOf(status: number, problem: ApiProblem | undefined): ApiError {
  if (status === 400 && problem?.errors) return new InvalidParametersError(status, problem)
  if (status === 410) return new CursorExpiredError(status, problem)
  if (status === 412) return new NotIndexedYetError(status, problem)
  return PASSING.includes(status) ? new UnavailableError(status, problem) : new ApiError(status, problem)
}

/** Undefined where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined where the text is none. */
export function parseList(text: string): unknown[] | undefined {
  const body = parseJson(text)
  return Array.isArray(body) ? body : undefined
}

const problemIn = (body: unknown): ApiProblem | undefined =>
  typeof body === 'object' && body !== null && 'type' in body ? (body as ApiProblem) : undefined

/** What `Retry-After` says, in seconds or as a date (RFC 9110, 10.2.3); 0 where it is neither. */
export function retryAfterMs(value: string | null): number {
  if (value === null) return 0
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? 0 : ms
}

/** Doubles with every attempt, and differs between clients, so that they do not come back all at once. */
const backoffMs = (attempt: number) => FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)

/** Rejects with the signal's reason when that comes first. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
