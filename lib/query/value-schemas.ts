import * as z from 'zod/mini'

export const DIRECTIONS = ['asc', 'desc'] as const

export interface WholeNumberBounds {
  min: number
  max?: number
}

/** A number as its plain decimal digits, however many. The bounds can be read from the check's `params`. */
export const wholeNumber = ({ min, max }: WholeNumberBounds) =>
  z.string().check(
    z.refine(text => /^[0-9]+$/.test(text) && isWithin(text, { min, max }), {
      error: `must be an integer ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, in plain decimal digits`,
      params: { min, ...(max !== undefined && { max }) } satisfies WholeNumberBounds,
    }),
  )

/** Compares digits and makes no number of them: that takes seconds for millions of digits, and may lose some. */
function isWithin(text: string, { min, max }: { min: number; max: number | undefined }): boolean {
  const digits = text.replace(/^0+(?=.)/, '')
  return (
    compareDigits(digits, String(min)) >= 0 && (max === undefined || compareDigits(digits, String(max)) <= 0)
  )
}

const compareDigits = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : Number(a > b))

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** Just these two words. */
export const trueOrFalse = z.pipe(
  oneOf(['true', 'false']),
  z.transform((text: 'true' | 'false') => text === 'true'),
)

/** Any text of a length: a value that no event can have is valid, and finds nothing. */
export function textOfLength({ min, max }: { min: number; max?: number }) {
  if (max === undefined) return z.string().check(z.minLength(min, `must have at least ${min} characters`))
  const error = `must have ${min} to ${max} characters`
  return z.string().check(z.minLength(min, error), z.maxLength(max, error))
}
