/** `npm run bench:audit` measures an audit's speed, its requests to the node and the table, and its memory. */
import { availableParallelism } from 'node:os'
import { beginAudit, exitCodeOf } from '../../../lib/audit/audit-progress.ts'
import { planAudit } from '../../../lib/audit/plan-audit.ts'
import { runAudit } from '../../../lib/audit/run-audit.ts'
import { readTable } from '../../../lib/audit/served-events.ts'
import { decodersOf } from '../../../lib/chain/logs/event-decoders.ts'
import { type ChainNode, connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { createProofReader } from '../../../lib/chain/nodes/proof-reader.ts'
import { createChainReader } from '../../../lib/chain/nodes/read-chain.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { readIndexState } from '../../../lib/store/leases/acquire-lease.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { measureMemory } from '../ingest/measure-memory.ts'
import { startChainAndTable } from '../ingest/start-chain-and-table.ts'
import { type Cell, table as tableOf } from '../recorded/statistics.ts'
import { writeReport } from '../recorded/write-report.ts'

const EVENTS = positiveInteger('BENCH_EVENTS') ?? 50_000
const MEMORY_BOUND_MB = 600

const { chain, table, indexing, stop } = await startChainAndTable(EVENTS)
const { network, signal } = indexing

function countedNode() {
  const node = connectNode(chain.rpcUrl)
  const counts = { headers: 0, receipts: 0, bytes: 0 }
  const request: ChainNode['request'] = async (method, ...rest) => {
    const reply = await node.request(method, ...rest)
    if (method === 'eth_getBlockByNumber') counts.headers += 1
    if (method === 'eth_getBlockReceipts') counts.receipts += 1
    counts.bytes += JSON.stringify(reply).length
    return reply
  }
  return { nodes: groupNodes([{ ...node, request }]), counts }
}

async function measure(lists: 'scan' | 'look-up') {
  const { nodes, counts } = countedNode()
  const heads = await createChainReader({ network, nodes, contracts: 'any' }).readHeads(signal)
  const state = await readIndexState({ ...table, network })
  const plan = planAudit({ network, source: table.tableName, lists }, { heads, state })
  const memory = measureMemory()
  const startedAt = performance.now()
  const progress = await runAudit(beginAudit(plan), {
    ...{ network, nodes, contracts: plan.contracts, table, signal },
    decoders: decodersOf(plan),
    reader: createProofReader({ network, nodes, contracts: plan.contracts }),
    served: readTable(table, network),
    onProgress: () => undefined,
  })
  const seconds = (performance.now() - startedAt) / 1000
  if (exitCodeOf(progress) !== 0) throw new Error('The table differs from the chain')
  return { progress, seconds, counts, peakMb: Math.max(...memory.peaks()) }
}

try {
  await indexNetwork({ ...indexing, nodes: groupNodes([connectNode(chain.rpcUrl)]) })
  const scan = await measure('scan')
  const lookUp = await measure('look-up')
  const { done: blocks, events, provenEmpty, provenByReceipts } = scan.progress
  const row = (name: string, value: (of: typeof scan) => Cell) => [name, value(scan), value(lookUp)]
  await writeReport('audit', [
    '# Auditing a table',
    `\`npm run bench:audit\`: a table in dynalite with ${events} events, and ${blocks} blocks from anvil, all on this machine (${availableParallelism()} cores, Node.js ${process.version}). ${provenEmpty} blocks are proven to be empty by their Bloom filters. The other ${provenByReceipts} blocks, each with 100 transactions and 200 events, are proven by receipts.`,
    tableOf(' | lists compared in one scan of the table | items looked up (`--no-scan`, and the function)', [
      row('seconds', of => of.seconds.toFixed(1)),
      row('blocks per second', of => Math.round(blocks / of.seconds)),
      row('events per second', of => Math.round(events / of.seconds)),
      row('headers requested', of => of.counts.headers),
      row('`eth_getBlockReceipts`', of => of.counts.receipts),
      row('MB from the node', of => (of.counts.bytes / 1e6).toFixed(1)),
      row('highest memory, MB', of => of.peakMb),
    ]),
  ])
  if (Math.max(scan.peakMb, lookUp.peakMb) > MEMORY_BOUND_MB) {
    throw new Error(`The audit used more than ${MEMORY_BOUND_MB} MB of memory`)
  }
} finally {
  await stop()
}
