import { closest, distance } from 'fastest-levenshtein'
import * as z from 'zod/mini'

export const DIRECTIONS = ['asc', 'desc'] as const

const LEADING_ZEROS = /^0+(?=.)/

export interface WholeNumberBounds {
  min: number
  max?: number
}

/** Plain decimal digits, of any length. The check's `params` contain the bounds. */
export const wholeNumber = ({ min, max }: WholeNumberBounds) =>
  z.string().check(
    z.refine(text => /^[0-9]+$/.test(text) && isWithin(text, { min, max }), {
      error: `must be an integer ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, in plain decimal digits`,
      params: { min, ...(max !== undefined && { max }) } satisfies WholeNumberBounds,
    }),
  )

/** Compares digits instead of numbers, because parsing millions of digits takes seconds, and numbers may be rounded. */
function isWithin(text: string, { min, max }: { min: number; max: number | undefined }): boolean {
  const digits = text.replace(LEADING_ZEROS, '')
  return (
    compareDigits(digits, String(min)) >= 0 && (max === undefined || compareDigits(digits, String(max)) <= 0)
  )
}

const compareDigits = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : Number(a > b))

/** `read` must parse a string into a value, or return an error message. */
export const readWith = <Value extends object>(read: (text: string) => Value | string) =>
  z.pipe(
    z.string(),
    z.transform((text: string, { issues }): Value => {
      const value = read(text)
      if (typeof value !== 'string') return value
      issues.push({ code: 'custom', message: value, input: text })
      return z.NEVER
    }),
  )

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

export const trueOrFalse = z.pipe(
  oneOf(['true', 'false']),
  z.transform((text: 'true' | 'false') => text === 'true'),
)

/** A value that no event can have is valid, but matches nothing. */
export function textOfLength({ min, max }: { min: number; max?: number }) {
  if (max === undefined) return z.string().check(z.minLength(min, `must have at least ${min} characters`))
  const error = `must have ${min} to ${max} characters`
  return z.string().check(z.minLength(min, error), z.maxLength(max, error))
}

const TOKEN_ID_FORMS = 'must be a token id below 2^256, in decimal digits or as 0x and hex digits'
/** The number of digits of 2^256 - 1. Longer ids are not parsed, because parsing millions of digits takes seconds. */
const MAX_TOKEN_ID_DIGITS = { decimal: 78, hex: 64 } as const
const TOKEN_ID_LIMIT = 2n ** 256n

/** Parses a token id into the form that records use: a uint256 in decimal digits, without leading zeros. */
export const tokenIdSchema = z.pipe(
  z.string().check(z.refine(text => readTokenId(text) !== undefined, TOKEN_ID_FORMS)),
  z.transform((text: string) => String(readTokenId(text))),
)

function readTokenId(text: string): bigint | undefined {
  const [, prefix = '', digits = ''] = /^(0[xX])?([0-9a-fA-F]+)$/.exec(text) ?? []
  if (prefix === '' && !/^[0-9]+$/.test(digits)) return undefined
  const significant = digits.replace(LEADING_ZEROS, '')
  if (significant.length > MAX_TOKEN_ID_DIGITS[prefix === '' ? 'decimal' : 'hex']) return undefined
  const value = BigInt(`${prefix}${significant}`)
  return value < TOKEN_ID_LIMIT ? value : undefined
}

/**
 * The share of letters that may be wrong in a misspelt name, rounded up to whole letters. Two swapped letters count as
 * two wrong letters.
 */
const MISSPELT_SHARE = 1 / 3
/** A shorter name is not compared with known names, because it is equally close to several of them. */
const MISSPELT_LEAST = 3
/** A longer name is not compared, because no known name is longer, and long comparisons are costly. */
const MISSPELT_LENGTH = 40

/** Returns the most similar name, or undefined if no name is similar enough. */
export function likelyMeant(name: string, names: readonly string[]): string | undefined {
  if (name.length < MISSPELT_LEAST || name.length > MISSPELT_LENGTH) return undefined
  const nearest = closest(name, names)
  return distance(name, nearest) <= Math.ceil(name.length * MISSPELT_SHARE) ? nearest : undefined
}
