import {
  ApiError,
  type ApiProblem,
  ConnectionError,
  CursorExpiredError,
  InvalidParametersError,
  NotIndexedYetError,
  ownProblem,
  UnavailableError,
} from './client-errors.ts'

/** Returns the headers that identify the caller, for a request to this URL. */
export type Authorize = (request: { method: string; url: string }) => HeaderSource | Promise<HeaderSource>

type HeaderSource = Record<string, string>

/** The expected answer, and how to parse it. */
export interface Wanted<Body> {
  /** The expected media type. */
  accept: string
  /** The name of the expected content, for error messages. */
  name: 'events' | 'changes' | 'status'
  /** Parses the body. Returns undefined if the answer has a different form. */
  read: (text: string, headers: Headers) => Body | undefined
}

export interface CallOptions {
  /** Aborts the request and the wait between attempts. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long to retry a request while a network is not indexed up to `minBlock`. By default there is no retry. */
  waitForBlockMs?: number | undefined
}

export interface SendOptions extends CallOptions {
  /** The number of retries after temporary failures. */
  retries: number
  /** The timeout of one attempt, including its body. */
  timeoutMs: number
  fetch: typeof fetch
  /** Called before each attempt, so that a token can be renewed. */
  authorize?: Authorize | undefined
}

export interface Answer<Body> {
  headers: Headers
  body: Body
}

/** Statuses of temporary failures of the service or a gateway in front of it. */
const PASSING = [429, 502, 503, 504]
const FIRST_WAIT_MS = 200
/** The longest wait, even if `Retry-After` is longer. */
const MAX_WAIT_MS = 30_000
/** The wait for a block if the service sends no `Retry-After`. */
const BLOCK_WAIT_MS = 1000

/**
 * Sends a request and retries after temporary failures. Waits as long as `Retry-After` asks, up to 30 seconds. Throws
 * `InvalidParametersError`, `CursorExpiredError`, `NotIndexedYetError`, `UnavailableError`, any other `ApiError`,
 * `ConnectionError`, or the signal's reason.
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
    // A service that answers "not indexed yet" is up, so the count of failed attempts starts again at 0.
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
      const problem = ownProblem(parseJson(text))
      return { error: errorOf(status, problem), waitMs: retryAfterMs(headers.get('retry-after')) }
    }
    const body = read(text, headers)
    if (body === undefined) return { error: new ApiError(status, undefined, notWanted(name)) }
    return { answer: { headers, body } }
  } catch (cause) {
    return { error: new ConnectionError(url, cause) }
  }
}

const notWanted = (name: string) =>
  `The answer was 200, but has no ${name}: is this the address of the service?`

function errorOf(status: number, problem: ApiProblem | undefined): ApiError {
  if (status === 400 && problem?.errors) return new InvalidParametersError(status, problem)
  // A gateway or a parked domain may also answer 410, but not with a problem of the service.
  if (status === 410 && problem) return new CursorExpiredError(status, problem)
  if (status === 412) return new NotIndexedYetError(status, problem)
  return PASSING.includes(status) ? new UnavailableError(status, problem) : new ApiError(status, problem)
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns undefined if the text is not a JSON list, or if an element is not one of the service's. */
export function parseList<Element>(
  text: string,
  isOwn: (element: Partial<Element>) => boolean,
): unknown[] | undefined {
  const body = parseJson(text)
  return Array.isArray(body) && body.every(element => isOwn(element ?? {})) ? body : undefined
}

/**
 * The wait in milliseconds according to a `Retry-After` header, which has seconds or a date (RFC 9110, 10.2.3). 0 for a
 * date in the past and for any other value. Other texts are not parsed as dates, because `1.5` would be one.
 */
export function retryAfterMs(value: string | null): number {
  if (value === null) return 0
  if (/^\d+$/.test(value)) return Number(value) * 1000
  return value.endsWith('GMT') ? Math.max(0, Date.parse(value) - Date.now()) || 0 : 0
}

/** Exponential backoff with jitter, so that clients do not all retry at the same time. */
const backoffMs = (attempt: number) => FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)

/** The longest time of a timer. A timer with a longer time would end immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Resolves after `ms` milliseconds, or after 24.8 days if `ms` is longer. Rejects with the signal's reason if the signal
 * aborts first.
 */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(ms, LONGEST_TIMER_MS),
    )
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Throws `TypeError` if a service's URL contains a user or a password. `fetch` refuses such a URL too, but its message
 * contains the password, which this error does not repeat.
 */
export function refuseCredentials(url: string): void {
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(url))
    throw new TypeError(
      'The address of the service must not contain a user or a password, because addresses are printed and stored. Send a token or sign requests instead',
    )
}
