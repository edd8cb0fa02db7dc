/** Changes one bit of a value of hex digits after `0x`. */
export function flipBit(hex: string, bit: number): string {
  const digit = 2 + (Math.floor(bit / 4) % (hex.length - 2))
  const flipped = Number.parseInt(hex[digit] ?? '', 16) ^ (1 << (bit % 4))
  return hex.slice(0, digit) + flipped.toString(16) + hex.slice(digit + 1)
}
