import * as z from 'zod/mini'

export const DIRECTIONS = ['asc', 'desc'] as const

export interface WholeNumberBounds {
  min: number
  max?: number
}

/**
 * A number as its plain decimal digits, of any length; bounds are compared without losing any, and can
 * be read from the check's `params`.
 */
export const wholeNumber = ({ min, max }: WholeNumberBounds) =>
  z.string().check(
    z.refine(
      text => /^[0-9]+$/.test(text) && BigInt(text) >= min && (max === undefined || BigInt(text) <= max),
      {
        error: `must be an integer ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, in plain decimal digits`,
        params: { min, ...(max !== undefined && { max }) } satisfies WholeNumberBounds,
      },
    ),
  )

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** Any text of a length: a value that no event can have is valid, and finds nothing. */
export function textOfLength({ min, max }: { min: number; max?: number }) {
  if (max === undefined) return z.string().check(z.minLength(min, `must have at least ${min} characters`))
  const error = `must have ${min} to ${max} characters`
  return z.string().check(z.minLength(min, error), z.maxLength(max, error))
}
