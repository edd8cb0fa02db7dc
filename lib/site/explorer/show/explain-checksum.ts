import { isAddress } from 'viem'
import { shortHex } from './short-texts.ts'

/** Explains only the first mistake. Each address must contain both upper- and lower-case letters. */
export function explainChecksum(addresses: readonly string[]): string | undefined {
  const wrong = addresses.find(address => !isAddress(address))
  return (
    wrong &&
    `The capital letters of ${shortHex(wrong)} do not match its checksum (EIP-55), so a digit or the case of a letter is wrong. Copy the address again. If only the case is wrong, write it in lower case.`
  )
}
