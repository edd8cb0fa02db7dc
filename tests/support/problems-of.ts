import type { HttpAnswer } from './ask.ts'

export interface Problem {
  parameter: string
  message: string
}

/** The problems that an answer tells of; expects it to be a refusal in every other respect. */
export function problemsOf(answer: HttpAnswer): Problem[] {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 400, text: expect.any(String) })
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers).not.toHaveProperty('link')
  expect(answer.body).toEqual({
    type: expect.any(String),
    title: expect.any(String),
    status: 400,
    detail: expect.any(String),
    instance: expect.stringMatching(/./),
    errors: expect.any(Array),
  })
  const { errors } = answer.body as { errors: Problem[] }
  for (const error of errors) expect(Object.keys(error).toSorted()).toEqual(['message', 'parameter'])
  return errors
}

/** The parameters that the problems are about, sorted, once each. */
export const parametersOf = (problems: Problem[]): string[] =>
  [...new Set(problems.map(({ parameter }) => parameter))].toSorted()
