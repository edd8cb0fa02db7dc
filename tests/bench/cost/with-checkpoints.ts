import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import type { IndexedThrough, IndexNote } from '../../../lib/query/indexed-through.ts'

/** This many of each network's newest events are treated as indexed in the last twelve minutes. */
const LATE_EVENTS = 500

/** Replaces the checkpoints, as if each network's indexer had just reached its last block. */
export function withCheckpoints(store: EventStore, records: readonly EventRecord[]): EventStore {
  const perNetwork = [...Map.groupBy(records, ({ network }) => network)]
  const written = new Set(perNetwork.map(([network]) => network))
  return {
    ...store,
    readCheckpoints: async () => {
      const indexed = perNetwork.map(([network, ofNetwork]) => indexedThrough(network, ofNetwork))
      return { written, indexed, calls: 1, examined: indexed.length, readUnits: 1 }
    },
  }
}

function indexedThrough(network: Network, records: readonly EventRecord[]): IndexedThrough {
  const inOrder = records.toSorted((a, b) => a.blockNumber - b.blockNumber)
  const noteOf = (record: EventRecord | undefined, at: number): IndexNote[] =>
    record ? [{ at, blockNumber: record.blockNumber, timestamp: Date.parse(record.createdAt) / 1000 }] : []
  const now = Math.floor(Date.now() / 1000)
  const notes = [...noteOf(inOrder.at(-LATE_EVENTS), 0), ...noteOf(inOrder.at(-1), now)]
  const { blockNumber = 0, timestamp = 0 } = notes.at(-1) ?? {}
  return { network, blockNumber, timestamp, notes }
}
