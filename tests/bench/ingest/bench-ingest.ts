/** `npm run bench:ingest` measures the speed, the cost and the memory of indexing a chain. */
import { availableParallelism } from 'node:os'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { verifyTable } from '../../../lib/ingest/verify/verify-table.ts'
import { table as tableOf } from '../recorded/statistics.ts'
import { writeReport } from '../recorded/write-report.ts'
import { measureMemory } from './measure-memory.ts'
import { measureStages } from './measure-stages.ts'
import { startChainAndTable } from './start-chain-and-table.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 50_000)
/** Enough for a range of logs and unfinished batches of writes. A higher peak shows that something accumulates. */
const MEMORY_BOUND_MB = 600

const { chain, table, indexing, stop } = await startChainAndTable(EVENTS)
const newNodes = () => groupNodes([connectNode(chain.rpcUrl)])

try {
  const memory = measureMemory()
  const startedAt = performance.now()
  const { events, blocks, writeUnits } = await indexNetwork({ ...indexing, nodes: newNodes() })
  const seconds = (performance.now() - startedAt) / 1000
  const peaks = memory.peaks()
  const source = { ...indexing, nodes: newNodes() }
  const { read, decode, makeItems } = await measureStages(source, blocks - 1)
  await writeReport('ingest', [
    '# Indexing a chain',
    `\`npm run bench:ingest\`: a backfill from anvil into dynalite, both on this machine (${availableParallelism()} cores, Node.js ${process.version}).`,
    tableOf(' | ', [
      ['events', events],
      ['blocks', blocks],
      ['seconds', seconds.toFixed(1)],
      ['events per second', Math.round(events / seconds)],
      ['seconds of reading the node, measured alone', read.toFixed(1)],
      ['seconds of decoding, measured alone', decode.toFixed(1)],
      ['seconds of making items, measured alone', makeItems.toFixed(1)],
      ['the rest: AWS SDK, HTTP and dynalite', (seconds - Math.max(read, decode + makeItems)).toFixed(1)],
      ['write units per event, as dynalite counts (without indexes)', (writeUnits / events).toFixed(1)],
      ['highest memory in each tenth of the time, MB', peaks.join(', ')],
    ]),
  ])
  const { problems } = await verifyTable({ ...table, onProblem: problem => console.error(problem) })
  if (problems > 0) throw new Error(`The table has ${problems} problems`)
  if (Math.max(...peaks) > MEMORY_BOUND_MB) throw new Error(`The memory exceeded ${MEMORY_BOUND_MB} MB`)
} finally {
  await stop()
}
