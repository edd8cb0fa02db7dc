import type { HttpAnswer } from '../http/ask.ts'
import { expectDetail, type Problem } from './problems-of.ts'

/** The maximum size of an error's body. An error may omit problems to stay below this size. */
const MAX_PROBLEM_BYTES = 64 * 1024

/** Traces of internals: source lines, stack traces, packages, the database and JavaScript's errors. */
const INSIDE =
  /node_modules|\.[cm]?[jt]s:\d+|\n\s+at |dynamo|\bzod\b|smithy|TypeError|RangeError|SyntaxError/i

/** Expects one of these statuses, and a response that harms no caller and reveals no internals. */
export function expectSane({ status, headers, text, body }: HttpAnswer, statuses: number[]): void {
  expect(statuses).toContain(status)
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  if (text === '') return
  if (status === 200) {
    expect(headers['content-type']).toMatch(/^(application\/(json|x-ndjson)|text\/csv; charset=utf-8)$/)
    if (body !== undefined) expect(body).toEqual(expect.any(Array))
    return
  }
  expect(headers['content-type']).toBe('application/json')
  expect(text.length).toBeLessThan(MAX_PROBLEM_BYTES)
  expect(text).not.toContain('<')
  const { errors, detail, ...problem } = body as { errors?: Problem[]; detail: string }
  if (errors) expectDetail(detail, errors)
  // The parameter names in the detail are not checked, because callers choose them.
  const own = errors ? errors.map(({ message }) => message) : detail
  expect(JSON.stringify([problem, own])).not.toMatch(INSIDE)
}
