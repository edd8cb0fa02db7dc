import type { HttpAnswer } from '../http/ask.ts'

/** An error says what is wrong, not all that is. */
const MAX_PROBLEM_BYTES = 64 * 1024
/** Far more than any answer here takes, and far less than a function has. */
const MAX_DURATION_MS = 3000

/** What tells of the inside: places in files, the SDK, the names of keys and engines. */
const INSIDE =
  /node_modules|\.[cm]?[jt]s:\d+|\n\s+at |dynamo|\bzod\b|smithy|TypeError|RangeError|SyntaxError/i

export interface Sane {
  /** The statuses that the request may be answered with. */
  among: number[]
  durationMs: number
}

/** Expects an answer that does no harm to whoever asked, and tells nothing of the inside. */
export function expectSane({ status, headers, text, body }: HttpAnswer, { among, durationMs }: Sane): void {
  expect(among).toContain(status)
  expect(durationMs).toBeLessThan(MAX_DURATION_MS)
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  if (text === '') return
  expect(headers['content-type']).toBe('application/json')
  if (status === 200) {
    expect(body).toEqual(expect.any(Array))
    return
  }
  expect(text.length).toBeLessThan(MAX_PROBLEM_BYTES)
  expect(text).not.toContain('<')
  expect(withoutParameters(body)).not.toMatch(INSIDE)
}

/** The answer without what the caller had sent. */
const withoutParameters = (body: unknown) =>
  JSON.stringify(body, (key, value) => (key === 'parameter' ? '' : value))
