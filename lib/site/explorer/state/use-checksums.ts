import { useEffect, useState } from 'preact/hooks'
import { checksummedIn } from '../question/read-search.ts'
import { requestOf } from '../question/request-of.ts'
import { addressesIn } from '../show/explain-unmatchable.ts'
import { shortHex } from '../show/short-texts.ts'
import { loadLater } from './load-later.ts'
import type { Events } from './use-events.ts'

/**
 * The faults of addresses with a wrong checksum, by parameter. Empty until the answer is known to have no events: an
 * address that has events is right, whatever its capital letters are.
 */
export function useChecksums({ question, page, records }: Events): ReadonlyMap<string, string> {
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map())
  const isEmpty = page !== undefined && records.length === 0
  useEffect(() => {
    let isLeft = false
    setFaults(new Map())
    const keep = (name: string, fault: string | undefined) =>
      isLeft || fault === undefined || setFaults(before => new Map(before).set(name, fault))
    if (isEmpty)
      for (const [name, values] of addressesIn(requestOf(question)))
        explainChecksum(values.flatMap(checksummedIn)).then(fault => keep(name, fault))
    return () => {
      isLeft = true
    }
  }, [question, isEmpty])
  return faults
}

/**
 * Explains the first address whose checksum is wrong. Undefined if there is none, or if the script that computes
 * checksums cannot be loaded. The addresses must have letters in upper and lower case.
 */
export async function explainChecksum(addresses: readonly string[]): Promise<string | undefined> {
  if (addresses.length === 0) return undefined
  const later = await loadLater().catch(() => undefined)
  const wrong = later && addresses.find(address => !later.isChecksumRight(address))
  return (
    wrong &&
    `The capital letters of ${shortHex(wrong)} do not fit its other characters (EIP-55), so at least one character is wrong. Copy the address again. If you are sure of it, write it in lower case.`
  )
}
