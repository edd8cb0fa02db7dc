/** `npm run bench:ingest` measures the speed, the cost and the memory of indexing a chain. */
import { availableParallelism } from 'node:os'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { verifyTable } from '../../../lib/ingest/verify/verify-table.ts'
import { commandClient } from '../../../lib/kit/command-client.ts'
import { writeReport } from '../recorded/write-report.ts'
import { fillChain } from './fill-chain.ts'
import { measureMemory } from './measure-memory.ts'
import { measureStages } from './measure-stages.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 50_000)
/** Enough for a range of logs and unfinished batches of writes. A higher peak shows that something accumulates. */
const MEMORY_BOUND_MB = 600
const TABLE = 'events'

const chain = await fillChain(EVENTS)
const engine = await startEngine({ engine: 'dynalite' })
const createClient = () => commandClient({ endpoint: engine.endpoint })
const client = await createClient()

try {
  await createTable({ client, tableName: TABLE })
  const memory = measureMemory()
  const startedAt = performance.now()
  const { events, blocks, writeUnits } = await indexNetwork({
    network: 'polygon',
    nodes: groupNodes([connectNode(chain.rpcUrl)]),
    createClient,
    tableName: TABLE,
    contracts: 'any',
    signal: new AbortController().signal,
  })
  const seconds = (performance.now() - startedAt) / 1000
  const peaks = memory.peaks()
  const source = {
    network: 'polygon',
    nodes: groupNodes([connectNode(chain.rpcUrl)]),
    contracts: 'any',
  } as const
  const { read, decode, makeItems } = await measureStages(source, blocks - 1)
  const report = [
    '# Indexing a chain',
    '',
    `\`npm run bench:ingest\`: a backfill from anvil into dynalite, both on this machine (${availableParallelism()} cores, Node.js ${process.version}).`,
    '',
    '| | |',
    '| --- | --- |',
    `| events | ${events} |`,
    `| blocks | ${blocks} |`,
    `| seconds | ${seconds.toFixed(1)} |`,
    `| events per second | ${Math.round(events / seconds)} |`,
    `| seconds of reading the node, measured alone | ${read.toFixed(1)} |`,
    `| seconds of decoding, measured alone | ${decode.toFixed(1)} |`,
    `| seconds of making items, measured alone | ${makeItems.toFixed(1)} |`,
    `| the rest: AWS SDK, HTTP and dynalite | ${(seconds - Math.max(read, decode + makeItems)).toFixed(1)} |`,
    `| write units per event, as dynalite counts (without indexes) | ${(writeUnits / events).toFixed(1)} |`,
    `| highest memory in each tenth of the time, MB | ${peaks.join(', ')} |`,
    '',
  ].join('\n')
  await writeReport('ingest', report)
  const { problems } = await verifyTable({
    client,
    tableName: TABLE,
    onProblem: problem => console.error(problem),
  })
  if (problems > 0) throw new Error(`The table has ${problems} problems`)
  if (Math.max(...peaks) > MEMORY_BOUND_MB) throw new Error(`The memory exceeded ${MEMORY_BOUND_MB} MB`)
} finally {
  client.destroy()
  await engine.stop()
  await chain.stop()
}
