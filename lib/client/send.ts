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

/** Returns the headers that identify the caller of this request. */
export type Authorize = (request: { method: string; url: string }) => HeaderSource | Promise<HeaderSource>

type HeaderSource = Record<string, string>

export interface Wanted<Body> {
  accept: string
  /** The name of the expected content in error messages. */
  name: 'events' | 'changes' | 'status'
  /** Returns undefined if the response does not have the expected form. */
  read: (text: string, headers: Headers) => Body | undefined
}

export interface CallOptions {
  /** Aborts the request, or the wait between attempts. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * How long to keep retrying while a network is not indexed up to `minBlock`. By default, the client does not retry.
   */
  waitForBlockMs?: number | undefined
}

export interface SendOptions extends CallOptions {
  /** The maximum number of retries after temporary failures. */
  retries: number
  /** The timeout of one attempt, including `authorize` and reading the body. */
  timeoutMs: number
  fetch: typeof fetch
  /** Called before each attempt, so that the function can renew a token. If the call fails, the attempt fails. */
  authorize?: Authorize | undefined
}

export interface Answer<Body> {
  headers: Headers
  body: Body
}

/** The statuses of temporary failures, sent by the service or by a gateway in front of it. */
const PASSING = [429, 502, 503, 504]
const FIRST_WAIT_MS = 200
/** The longest wait, even if `Retry-After` asks for more. */
const MAX_WAIT_MS = 30_000
/** The wait for a block if the response has no `Retry-After`. */
const BLOCK_WAIT_MS = 1000

/** Matches a URL whose last path segment, which should be an address, is empty, `.` or `..`. */
const LOST_ADDRESS = /\/\.{0,2}(?:\?|$)/

/**
 * Sends a request, and retries it after temporary failures. Waits at least as long as `Retry-After` asks, up to 30
 * seconds. Throws `TypeError` for an address that a URL cannot contain. Can also throw `InvalidParametersError`,
 * `CursorExpiredError`, `NotIndexedYetError`, `UnavailableError`, any other `ApiError`, `ConnectionError`, or the
 * signal's reason.
 */
export async function send<Body>(url: string, options: SendOptions & Wanted<Body>): Promise<Answer<Body>> {
  if (LOST_ADDRESS.test(url)) throw new TypeError('address must not be empty, "." or ".."')
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
    // A service that answers "not indexed yet" is running, so the count of failed attempts starts again at 0.
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
  const timeout = AbortSignal.timeout(timeoutMs)
  const limit = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const authorization = await authorizeWithin(limit, { authorize, method: 'GET', url })
    const response = await fetch(url, { headers: { accept, ...authorization }, signal: limit })
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

/** The time limit also covers `authorize`, because `authorize` may wait for another server that hangs. */
export const authorizeWithin = async (
  limit: AbortSignal,
  { authorize, ...request }: Pick<SendOptions, 'authorize'> & Parameters<Authorize>[0],
): Promise<HeaderSource | undefined> => authorize && Promise.race([authorize(request), aborted(limit)])

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const notWanted = (name: string) =>
  `The answer was 200, but has no ${name}: is this the address of the service?`

function errorOf(status: number, problem: ApiProblem | undefined): ApiError {
  // Gateways and parked domains may return the same statuses, but only the service's own answers have a `problem`.
  if (problem?.errors && status === 400) return new InvalidParametersError(status, problem)
  if (problem && status === 410) return new CursorExpiredError(status, problem)
  if (problem && status === 412) return new NotIndexedYetError(status, problem)
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

/** Returns undefined if the text is not a JSON array, or if `isOwn` rejects one of its elements. */
export function parseList<Element>(
  text: string,
  isOwn: (element: Partial<Element>) => boolean,
): unknown[] | undefined {
  const body = parseJson(text)
  return Array.isArray(body) && body.every(element => isOwn(element ?? {})) ? body : undefined
}

/**
 * Parses a `Retry-After` header, which contains seconds or a date (RFC 9110, 10.2.3). Returns the wait in milliseconds,
 * or 0 for a past date or an invalid value. A date must end with GMT, because `Date.parse` also reads `1.5` as a date.
 */
export function retryAfterMs(value: string | null): number {
  if (value === null) return 0
  if (/^\d+$/.test(value)) return Number(value) * 1000
  return value.endsWith('GMT') ? Math.max(0, Date.parse(value) - Date.now()) || 0 : 0
}

/** Returns an exponential backoff with jitter, so that clients do not all retry at the same time. */
const backoffMs = (attempt: number) => FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)

/** The longest delay that `setTimeout` supports. A timer with a longer delay would fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Resolves after at most 24.8 days, even if `ms` is longer. Rejects with the signal's reason if the signal aborts. */
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
 * Throws `TypeError` for a user name or a password, because addresses are printed and stored. `fetch` also refuses such
 * addresses, but its message reveals the password. As in `fetch`, any number of slashes or backslashes may precede the
 * user name. A password may contain a slash, so what looks like a port and a path may be a password. Also throws for
 * `?` and `#`, because the path that is appended to the address would become part of the query or the fragment.
 */
export function checkAddress(url: string): void {
  if (/^[^/:]*:[\\/\s]*(?:[^\\/]*|.*:.*)@|[?#]/s.test(url))
    throw new TypeError(
      'The address of the service must not contain ?, #, a user name or a password. To log in, send a token or sign requests',
    )
}
