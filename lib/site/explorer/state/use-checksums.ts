import { useEffect, useState } from 'preact/hooks'
import { checksummedIn } from '../question/read-search.ts'
import { requestOf } from '../question/request-of.ts'
import { addressesIn } from '../show/explain-unmatchable.ts'
import { loadLater } from './load-later.ts'
import type { Events } from './use-events.ts'

/**
 * Returns no faults until a page is known to have no events, because an address with events is the right address, even
 * if its capitals do not match its checksum.
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
      for (const [name, values] of addressesIn(requestOf(question))) {
        const addresses = values.flatMap(checksummedIn)
        // If the script cannot be loaded, checksums are not verified.
        if (addresses.length > 0)
          loadLater().then(
            later => keep(name, later.explainChecksum(addresses)),
            () => undefined,
          )
      }
    return () => {
      isLeft = true
    }
  }, [question, isEmpty])
  return faults
}
