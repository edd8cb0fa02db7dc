import type { HttpAnswer } from '../http/ask.ts'
import { LAMBDA_REQUEST_ID } from '../http/http-events.ts'

export interface Problem {
  parameter: string
  message: string
}

/** Returns the problems in the response, and expects everything else in it to be as in a valid error. */
export function problemsOf(answer: HttpAnswer): Problem[] {
  const { errors = [], detail = '' } = (answer.body ?? {}) as { errors?: Problem[]; detail?: string }
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: {
      type: expect.stringMatching(/^https:\/\/.+#invalid-query$/),
      title: 'Incorrect data requested',
      status: 400,
      detail: expect.any(String),
      instance: LAMBDA_REQUEST_ID,
      errors: expect.any(Array),
    },
  })
  expectDetail(detail, errors)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers).not.toHaveProperty('link')
  return errors
}

/** The maximum number of characters. A longer detail is truncated. */
const DETAIL_LENGTH = 1_000
const CUT = /^(.*); (\d+) more in errors(?:, and others that are not listed)?$/s
const CUT_LENGTH = 60

/**
 * Expects one sentence for each error, with the name of the parameter. If all sentences together are too long, expects
 * as many complete sentences as fit, beginning with the first.
 */
export function expectDetail(detail: string, errors: Problem[]): void {
  const sentences = errors.map(({ parameter, message }) => `${parameter || '(empty name)'}: ${message}`)
  const [, shown, left] = CUT.exec(detail) ?? []
  if (shown === undefined) {
    expect(detail).toBe(sentences.join('; '))
    expect(detail.length).toBeLessThanOrEqual(DETAIL_LENGTH)
    return
  }
  const kept = sentences.length - Number(left)
  expect(shown).toBe(sentences.slice(0, kept).join('; '))
  expect(sentences.slice(0, kept + 1).join('; ').length).toBeGreaterThan(DETAIL_LENGTH)
  expect(detail.length).toBeLessThanOrEqual(DETAIL_LENGTH + CUT_LENGTH)
}

export const parametersOf = (problems: Problem[]): string[] =>
  [...new Set(problems.map(({ parameter }) => parameter))].toSorted()
