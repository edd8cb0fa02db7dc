const LONGEST_NUMBER = 12

/** The two ends of an address or a hash, as wallets show them. */
export const shortHex = (hex: string, digits = 4): string =>
  hex.length > 2 * digits + 3 ? `${hex.slice(0, digits + 2)}…${hex.slice(-digits)}` : hex

/** A `uint256` that fits into a table: ids are often hashes. */
export const shortNumber = (decimal: string): string =>
  decimal.length > LONGEST_NUMBER ? `${decimal.slice(0, 4)}…${decimal.slice(-4)}` : decimal

/** With separators, however many digits there are. */
export const groupDigits = (number: string | number): string => BigInt(number).toLocaleString('en')
