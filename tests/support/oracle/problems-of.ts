import type { HttpAnswer } from '../http/ask.ts'
import { LAMBDA_REQUEST_ID } from '../http/http-events.ts'

export interface Problem {
  parameter: string
  message: string
}

/** The problems that an answer tells of; expects it to be a refusal in every other respect. */
export function problemsOf(answer: HttpAnswer): Problem[] {
  const { errors } = (answer.body ?? {}) as { errors?: Problem[] }
  const count = parametersOf(errors ?? []).length
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: {
      type: expect.stringMatching(/^https:\/\/.+#invalid-query$/),
      title: 'Incorrect data requested',
      status: 400,
      detail:
        count === 1
          ? 'One parameter is not valid; errors names it.'
          : `${count} parameters are not valid; errors names each.`,
      instance: LAMBDA_REQUEST_ID,
      errors: expect.any(Array),
    },
  })
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers).not.toHaveProperty('link')
  return errors ?? []
}

/** The parameters that the problems are about, sorted, once each. */
export const parametersOf = (problems: Problem[]): string[] =>
  [...new Set(problems.map(({ parameter }) => parameter))].toSorted()
