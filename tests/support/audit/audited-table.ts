import { activity, lastBlock } from '../../../infra/recording/activity.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import { readIndexState } from '../../../lib/store/leases/acquire-lease.ts'
import { deleteItems, putItems } from '../../../lib/store/writing/put-items.ts'
import { startChain, type TestChain } from '../chain/chain.ts'
import { chainEvents } from '../chain/chain-truth.ts'
import { indexChain } from '../chain/index-chain.ts'
import { changesFunction } from '../changes/changes-function.ts'
import { useFaultProxies } from '../faults/fault-proxy.ts'
import { knowNodeErrors } from '../programs/know-node-errors.ts'
import { useStarted } from '../runner/use-started.ts'
import { type TestEngine, useEngine } from '../store/engine.ts'
import { readIndexedTable } from '../store/indexed-table.ts'
import { itemKey } from '../store/stored-items.ts'
import { auditChain } from './audit-chain.ts'
import { createSimpleReader } from './simple-reader.ts'

/** The number of blocks from the node's head to its newest final block. */
const FINAL_DEPTH = 64
export const NETWORK = 'polygon'

/** A chain, an engine, and proxies for both. `indexed` indexes the chain into a new table. Call where jest accepts hooks. */
export function useAuditedTables() {
  knowNodeErrors()
  const engine = useEngine()
  const known = useStarted(startAuditedChain)
  const indexed = (options?: Parameters<typeof indexedTable>[2]) => indexedTable(known, engine, options)
  return { engine, known, startFaultProxy: useFaultProxies(), indexed }
}

/** A chain and its events, most of which are final. `falseOne` is a false event in the block of `transfer`. */
async function startAuditedChain() {
  const chain = await startChain()
  for (let round = 0; round < 2; round++) {
    for (const calls of activity(chain.users, round)) await chain.mine(calls)
    await chain.mineEmpty(round === 0 ? 2 * FINAL_DEPTH : FINAL_DEPTH)
  }
  await chain.mine(lastBlock(chain.users))
  const truth = await chainEvents(chain, NETWORK)
  const lastFinal = (await chain.head()) - FINAL_DEPTH
  const transfer = truth.find(({ event, blockNumber }) => event === 'TransferSingle' && blockNumber > 2)
  const [, batch] = truth.filter(({ event }) => event === 'TransferBatch')
  if (!transfer || !batch) throw new Error('The chain must have a transfer above block 2 and a batch')
  const logIndex = transfer.logIndex + 1000
  const falseOne = { ...transfer, logIndex, id: `${NETWORK}:${transfer.transactionHash}:${logIndex}` }
  const final = truth.filter(({ blockNumber }) => blockNumber <= lastFinal)
  return { chain, stop: chain.stop, truth, final, lastFinal, transfer, batch, falseOne }
}

/** Indexes the chain into a new table, and brings a reader of the table's feed up to date. */
export async function indexedTable(
  { chain }: { chain: TestChain },
  engine: TestEngine,
  options: Partial<Parameters<typeof indexChain>[0]> = {},
) {
  const tableName = await engine.createEventsTable()
  const place = { endpoint: engine.endpoint, tableName, network: NETWORK } as const
  const index = () => indexChain({ ...place, rpcUrls: [chain.rpcUrl] })
  await indexChain({ ...place, rpcUrls: [chain.rpcUrl], ...options })
  const table = { client: engine.client, tableName }
  const served = { client: engine.reader, tableName }
  const newReader = async () => {
    const reader = createSimpleReader(changesFunction(served))
    await reader.catchUp()
    return reader
  }
  return {
    table,
    served,
    reader: await newReader(),
    newReader,
    index,
    audit: (more: Partial<Parameters<typeof auditChain>[0]> = {}) =>
      auditChain({ ...place, rpcUrls: [chain.rpcUrl], ...more }),
    state: () => readIndexState({ ...table, network: NETWORK }),
    events: async () => (await readIndexedTable(engine.client, tableName, NETWORK)).events,
    put: (items: readonly Item[]) => putItems(items, { client: engine.documents, tableName }),
    remove: (items: readonly Item[]) =>
      deleteItems(items.map(itemKey), { client: engine.documents, tableName }),
  }
}

export type IndexedTable = Awaited<ReturnType<typeof indexedTable>>

/** Begins with the entry in the list `all`. */
export const entriesOf = (record: EventRecord): Item[] => itemsOf(record).entries
/** An entry of a list other than `all`. */
export const oneOf = (record: EventRecord): Item[] => entriesOf(record).slice(-1)
