import * as z from 'zod/mini'

const FORMS = 'must be a token id below 2^256, in decimal digits or as 0x and hex digits'
/** As many digits as 2^256 - 1 has; numbers are made of no more, for that takes seconds for millions of digits. */
const MAX_DIGITS = { decimal: 78, hex: 64 } as const
const LIMIT = 2n ** 256n

/** A token's id as records have it: a uint256 in decimal digits, without leading zeros. */
export const tokenIdSchema = z.pipe(
  z.string().check(z.refine(text => readTokenId(text) !== undefined, FORMS)),
  z.transform((text: string) => String(readTokenId(text))),
)

function readTokenId(text: string): bigint | undefined {
  const [, isHex, digits] = /^(0[xX](?=[0-9a-fA-F])|(?=[0-9]))0*([0-9a-fA-F]*)$/.exec(text) ?? []
  if (digits === undefined || (!isHex && /[^0-9]/.test(digits))) return undefined
  if (digits.length > (isHex ? MAX_DIGITS.hex : MAX_DIGITS.decimal)) return undefined
  const value = BigInt(`${isHex ? '0x' : ''}${digits || '0'}`)
  return value < LIMIT ? value : undefined
}
