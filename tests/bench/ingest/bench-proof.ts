/** `npm run bench:proof` measures how fast a chain is indexed, with how much memory, and what proofs cost. */
import { availableParallelism } from 'node:os'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { createChainReader } from '../../../lib/chain/nodes/read-chain.ts'
import { PROOF_LEVELS, type ProofLevel } from '../../../lib/chain/nodes/read-proven-logs.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import type { Contracts } from '../../../lib/store/format/checkpoint.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { type Cell, table as tableOf, writeReport } from '../recorded/report.ts'
import { countedNode } from './counted-node.ts'
import { measureMemory } from './measure-memory.ts'
import { startChainAndTable } from './start-chain-and-table.ts'

const EVENTS = positiveInteger('BENCH_EVENTS') ?? 20_000
/** Enough for a range of logs and unfinished batches of writes. A higher peak shows that something accumulates. */
const MEMORY_BOUND_MB = 600
/** An indexer at the head reads this many blocks at once. */
const BLOCKS_AT_ONCE = 25

await using started = await startChainAndTable(EVENTS)
const { chain, table, indexing } = started
const { network, signal } = indexing

/** `count` is the number of events or blocks that share the measured time, and `blocks` the number of blocks read. */
async function measure(
  scope: { proof: ProofLevel; contracts: Contracts },
  read: (source: Source) => Promise<{ count: number; blocks: number }>,
) {
  const { nodes, counts } = countedNode(chain.rpcUrl)
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const { count, blocks } = await read({ network, nodes, ...scope })
  // Also measures CPU time, because other programs hardly affect it, unlike the elapsed time.
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (count * 1000) / (performance.now() - startedAt),
    cpuMs: (user + system) / 1000 / count,
    calls: counts.methods.length / blocks,
    kilobytes: counts.bytes / blocks / 1024,
  }
}

type Source = Parameters<typeof createChainReader>[0]
type Measured = Awaited<ReturnType<typeof measure>>

async function measureBackfill(proof: ProofLevel) {
  const tableName = `events-${proof}`
  await createTable({ ...table, tableName })
  const endMemory = measureMemory()
  const measured = await measure({ proof, contracts: 'any' }, async source => {
    const { events, blocks } = await indexNetwork({ ...indexing, ...source, tableName })
    return { count: events, blocks }
  })
  const peakMb = endMemory()
  if (peakMb > MEMORY_BOUND_MB) throw new Error(`Indexing used ${peakMb} MB of memory`)
  return measured
}

/** Reads the blocks as an indexer at the head does, without writing. */
const measureHead = (proof: ProofLevel, contracts: Contracts = 'any') =>
  measure({ proof, contracts }, async source => {
    const reader = createChainReader(source)
    const last = await chain.head()
    for (let first = 1; first <= last; first += BLOCKS_AT_ONCE)
      await reader.readBlocks({ first, last: Math.min(last, first + BLOCKS_AT_ONCE - 1) }, signal)
    return { count: last, blocks: last }
  })

const named = (proof: ProofLevel) => `\`${proof}\``

function rowsOf(measured: ReadonlyMap<string, Measured>): Cell[][] {
  const none = measured.get(named('none'))?.perSecond ?? Number.NaN
  return [...measured].map(([proof, { perSecond, cpuMs, calls, kilobytes }]) => [
    proof,
    Math.round(perSecond),
    ...[perSecond / none, cpuMs, calls].map(number => number.toFixed(2)),
    kilobytes.toFixed(1),
  ])
}

const backfill = new Map<string, Measured>()
const head = new Map<string, Measured>()
for (const proof of PROOF_LEVELS) {
  head.set(named(proof), await measureHead(proof))
  if (proof === 'doubt') {
    head.set(`${named(proof)}, for one contract`, await measureHead(proof, chain.contracts.slice(0, 1)))
  }
  backfill.set(named(proof), await measureBackfill(proof))
}
const tableByProof = (counted: string, measured: Map<string, Measured>) =>
  tableOf(
    `value of \`--proof\` | ${counted}s per second | speed relative to \`none\` | CPU time per ${counted}, ms | calls to the node per block | KB from the node per block`,
    rowsOf(measured),
  )
await writeReport('proof', [
  '# Indexing with proofs',
  `\`npm run bench:proof\` indexes ${EVENTS} events of an anvil chain with each value of the option \`--proof\`, which says [how much the indexer proves](../../lib/chain/proof/README.md): nothing, only what is in doubt, or all. Every tenth block has 100 transactions, and the other blocks have none. The node and the table are on the same machine (${availableParallelism()} cores, Node.js ${process.version}), so the machine limits the events per second. CPU times are those of the indexer's process.`,
  'The indexer reads all blocks and writes their events to a table on dynalite, as `npm run index -- --proof …` does:',
  tableByProof('event', backfill),
  'The indexer reads the same blocks as it reads blocks that are not final yet, but writes nothing:',
  tableByProof('block', head),
])
