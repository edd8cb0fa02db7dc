import type { Question } from './ask-version.ts'

/** A version's ARN ends with the function's name and the version's number. */
const VERSION_ARN = /:function:(?<functionName>[^:]+):(?<qualifier>\d+)$/

/**
 * Reads the smoke checks from the environment. For each name `X`, `X_VERSION` is the ARN of a version, and `X_PAYLOAD`
 * is the payload of its check. Throws if there is no check, or if an `X_VERSION` is not the ARN of a version.
 */
export function readQuestions(environment: NodeJS.ProcessEnv): Question[] {
  const names = Object.keys(environment).flatMap(name => /^(\w+)_VERSION$/.exec(name)?.[1] ?? [])
  const questions = names.flatMap(name => {
    const { [`${name}_VERSION`]: arn = '', [`${name}_PAYLOAD`]: payload } = environment
    // Lambda itself sets variables that end in `_VERSION`. These variables have no payload.
    if (payload === undefined) return []
    const { functionName, qualifier } = VERSION_ARN.exec(arn)?.groups ?? {}
    if (!functionName || !qualifier) throw new Error(`${name}_VERSION is not the ARN of a version: ${arn}`)
    return [{ functionName, qualifier, payload }]
  })
  if (questions.length === 0) throw new Error('The environment names no version')
  return questions
}
