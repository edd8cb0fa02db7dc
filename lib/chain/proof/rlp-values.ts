import type { Hex } from 'viem'

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

/** Undefined for a value that is not hex or has the wrong length. */
export function bytesOf(value: unknown, length?: number): Hex | undefined {
  if (typeof value !== 'string' || (length !== undefined && value.length !== 2 + 2 * length)) return undefined
  return HEX.test(value) ? (value as Hex) : undefined
}

/** Returns a JSON-RPC number in RLP's form, without leading zeros. Undefined for any other value. */
export function quantityOf(value: unknown): Hex | undefined {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`
}
