import type { EventKind } from '../../client/records.ts'

/** What the kinds are called; the order is that of filters and of the chart, from the bottom up. */
export const KIND_LABELS: Readonly<Record<EventKind, string>> = {
  TransferSingle: 'Transfer',
  TransferBatch: 'Batch transfer',
  Minted: 'Minted',
  MintedBatch: 'Minted batch',
  OwnershipTransferred: 'Ownership',
}

export const KINDS = Object.keys(KIND_LABELS) as EventKind[]
