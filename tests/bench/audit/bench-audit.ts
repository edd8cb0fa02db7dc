/** `npm run bench:audit` measures an audit's speed, its requests to the node and the table, and its memory. */
import { availableParallelism } from 'node:os'
import { exitCodeOf } from '../../../lib/audit/audit-progress.ts'
import { prepareAudit } from '../../../lib/audit/prepare-audit.ts'
import { runAudit } from '../../../lib/audit/run-audit.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { readIndexState } from '../../../lib/store/leases/acquire-lease.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { countedNode } from '../ingest/counted-node.ts'
import { measureMemory } from '../ingest/measure-memory.ts'
import { startChainAndTable } from '../ingest/start-chain-and-table.ts'
import { type Cell, table as tableOf, writeReport } from '../recorded/report.ts'

const EVENTS = positiveInteger('BENCH_EVENTS') ?? 50_000
/**
 * The bound is high, because the process has also indexed the events, and V8 has not yet collected all garbage of that
 * work.
 */
const MEMORY_BOUND_MB = 750

await using started = await startChainAndTable(EVENTS)
const { chain, table, indexing } = started
const { network, signal } = indexing

async function measure(lists: 'scan' | 'look-up') {
  const { nodes, counts } = countedNode(chain.rpcUrl)
  const indexState = await readIndexState({ ...table, network })
  const wanted = { network, source: table.tableName, lists }
  const { begun, run } = await prepareAudit(wanted, { nodes, table, indexState, signal })
  const endMemory = measureMemory()
  const startedAt = performance.now()
  const progress = await runAudit(begun, { ...run, onProgress: () => undefined })
  const seconds = (performance.now() - startedAt) / 1000
  if (exitCodeOf(progress) !== 0) throw new Error('The table differs from the chain')
  const called = (wanted: string) => counts.methods.filter(method => method === wanted).length
  return { progress, seconds, called, bytes: counts.bytes, peakMb: endMemory() }
}

await indexNetwork({ ...indexing, nodes: countedNode(chain.rpcUrl).nodes })
const scan = await measure('scan')
const lookUp = await measure('look-up')
const { done: blocks, events, provenEmpty, provenByReceipts } = scan.progress
const row = (name: string, value: (of: typeof scan) => Cell) => [name, value(scan), value(lookUp)]
await writeReport('audit', [
  '# Auditing a table',
  `\`npm run bench:audit\` audits a table of ${events} events twice. The first audit compares the stored items in one scan of the table. The second audit looks up the items of each event, as \`npm run audit -- --no-scan\` and the deployed audit function do. The table (on dynalite), the node (anvil) and the audit run on one machine (${availableParallelism()} cores, Node.js ${process.version}). Of the ${blocks} audited blocks, ${provenEmpty} are proven by their Bloom filters to have no events. The other ${provenByReceipts} blocks, each with 100 transactions and 200 events, are proven by their receipts.`,
  tableOf('measurement | with one scan of the table | with a lookup of each item', [
    row('duration, seconds', of => of.seconds.toFixed(1)),
    row('blocks audited per second', of => Math.round(blocks / of.seconds)),
    row('events audited per second', of => Math.round(events / of.seconds)),
    row('block headers requested from the node', of => of.called('eth_getBlockByNumber')),
    row('calls of `eth_getBlockReceipts`', of => of.called('eth_getBlockReceipts')),
    row('MB received from the node', of => (of.bytes / 1e6).toFixed(1)),
    row('largest memory of the process, MB', of => of.peakMb),
  ]),
])
if (Math.max(scan.peakMb, lookUp.peakMb) > MEMORY_BOUND_MB) {
  throw new Error(`The audit used more than ${MEMORY_BOUND_MB} MB of memory`)
}
