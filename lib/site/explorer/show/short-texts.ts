const LONGEST_NUMBER = 12

/** Shortens an address or a hash to its two ends, as wallets do. */
export const shortHex = (hex: string, digits = 4): string =>
  hex.length > 2 * digits + 3 ? `${hex.slice(0, digits + 2)}…${hex.slice(-digits)}` : hex

/** Shortens long numbers, because token ids are often as long as hashes. */
export const shortNumber = (decimal: string): string =>
  decimal.length > LONGEST_NUMBER ? `${decimal.slice(0, 4)}…${decimal.slice(-4)}` : decimal

const GROUPED = new Intl.NumberFormat('en')

/** Returns a string such as "1 event" or "2,000 events". */
export const counted = (count: number, what: string): string =>
  `${groupDigits(count)} ${count === 1 ? what : `${what}s`}`

/** `number` must be an integer, with any number of digits. */
export const groupDigits = (number: string | number): string => GROUPED.format(BigInt(number))
