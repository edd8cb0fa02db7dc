import type { EventKind, EventRecord } from '../../../client/records.ts'
import { ZERO_ADDRESS } from '../../../events/event-kinds.ts'

/** What one row shows: a single event, or a mint's own event together with its transfer. */
export interface Occurrence {
  /** The id of the occurrence's first record in the list. */
  id: string
  records: readonly [EventRecord, ...EventRecord[]]
}

type OfKind<Kind extends EventKind> = Extract<EventRecord, { event: Kind }>
type Mint = OfKind<'Minted' | 'MintedBatch'>
type Transfer = OfKind<'TransferSingle' | 'TransferBatch'>

export const isMint = (record: EventRecord): record is Mint =>
  record.event === 'Minted' || record.event === 'MintedBatch'
export const isTransfer = (record: EventRecord): record is Transfer =>
  record.event === 'TransferSingle' || record.event === 'TransferBatch'

/**
 * Groups a list of records into occurrences, each at the position of its first record. A mint matches a transfer from
 * the zero address if transaction, contract, receiver, ids and quantities are equal. If several transfers match, the
 * transfer with the nearest log index is chosen. If only one of the two events is loaded, the row shows this event
 * alone until the other event is loaded.
 */
export function occurrencesOf(records: readonly EventRecord[]): Occurrence[] {
  const partners = partnersIn(records)
  const seen = new Set<EventRecord>()
  return records.flatMap((record): Occurrence[] => {
    if (seen.has(record)) return []
    const partner = partners.get(record)
    if (partner) seen.add(partner)
    return [{ id: record.id, records: partner ? [record, partner] : [record] }]
  })
}

function partnersIn(records: readonly EventRecord[]): ReadonlyMap<EventRecord, EventRecord> {
  const partners = new Map<EventRecord, EventRecord>()
  if (!records.some(isMint)) return partners
  const transfers = Map.groupBy(
    records.filter(isTransfer).filter(({ from }) => from === ZERO_ADDRESS),
    record => keyOf(record, { contract: record.address, receiver: record.to, ...record }),
  )
  for (const mint of records.filter(isMint)) {
    const free = contractsOf(mint)
      .flatMap(contract => transfers.get(keyOf(mint, { contract, ...movedBy(mint) })) ?? [])
      .filter(transfer => !partners.has(transfer))
    const distance = ({ logIndex }: Transfer) => Math.abs(logIndex - mint.logIndex)
    const [nearest] = free.toSorted((one, other) => distance(one) - distance(other))
    if (!nearest) continue
    partners.set(mint, nearest)
    partners.set(nearest, mint)
  }
  return partners
}

/** Returns the contracts whose transfers can match. A `MintedBatch` may come from a contract other than the token's. */
const contractsOf = (mint: Mint): string[] =>
  mint.event === 'Minted' ? [mint.address] : [...new Set([mint.address, mint.token])]

const movedBy = (mint: Mint) =>
  mint.event === 'Minted'
    ? { receiver: mint.initialOwner, tokenIds: [mint.tokenId], quantities: [mint.quantity] }
    : { receiver: mint.owner, tokenIds: mint.tokenIds, quantities: mint.quantities }

interface Moved {
  contract: string
  receiver: string
  tokenIds: readonly string[]
  quantities: readonly string[]
}

const keyOf = (
  { network, transactionHash }: EventRecord,
  { contract, receiver, tokenIds, quantities }: Moved,
): string => [network, transactionHash, contract, receiver, tokenIds.join(), quantities.join()].join(' ')
