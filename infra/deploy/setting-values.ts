import * as z from 'zod/mini'

export const text = z.string('must be a string')
export const flag = z.boolean('must be true or false')
export const count = z.int('must be a whole number').check(z.gte(0, 'must be 0 or more'))
export const positive = z.int('must be a whole number').check(z.gte(1, 'must be 1 or more'))

/** A string that matches the pattern, or an empty string, which means that the setting is unused. */
export const optional = (pattern: RegExp, message: string) =>
  text.check(z.regex(new RegExp(`^$|${pattern.source}`), message))

export const arn = (service: string, example: string) =>
  optional(new RegExp(`^arn:[\\w-]+:${service}:`), `must be an ARN, such as ${example}`)

export const parameter = (example: string) =>
  text.check(
    z.regex(
      /^\/[\w./-]+$/,
      `must be the name of an SSM parameter, such as /blockchain-events/prod/${example}`,
    ),
  )
