/**
 * `npm run bench:warm` measures a request's CPU time. The baseline is a bare handler without validation. The option
 * `-- --memory` also shows whether memory grows over 100,000 requests.
 */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleFunction } from '../../support/programs/bundle-function.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { newestEvents, walletEvents } from '../recorded/newest-events.ts'
import { startRecordedEngine } from '../recorded/recorded-engine.ts'
import { median, ratios, table, withSpread, writeReport } from '../recorded/report.ts'
import { measureGrowth, measurePeak } from './measure-memory.ts'
import { type Round, startFunction, type WarmFunction } from './warm-function.ts'

const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 15
/** So many requests that a round takes about a third of a second. */
const REQUESTS: [limit: number, requests: number][] = [
  [1, 400],
  [50, 200],
  [500, 40],
]
/** Enough rounds for Node.js to optimise the code fully. */
const WARMING_ROUNDS = 40

const FUNCTIONS: [name: string, entry: string][] = [
  ['bare handler', 'tests/bench/warm/bare-handler'],
  ['`user-events`', 'functions/user-events'],
]

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'bench-warm-'))
await using engine = await startRecordedEngine(walletEvents())

async function measurePages(limit: number, requests: number): Promise<string[][]> {
  const event = newestEvents.ofUser(limit)
  const functions: { name: string; warm: WarmFunction; rounds: Round[] }[] = []
  for (const [name, entry] of FUNCTIONS) {
    const { file } = await bundleFunction(entry, { outdir: folder.path })
    functions.push({ name, warm: startFunction(file, engine.environment), rounds: [] })
  }
  for (let round = -WARMING_ROUNDS; round < ROUNDS; round += 1) {
    for (const { warm, rounds } of round % 2 === 0 ? functions : functions.toReversed()) {
      const measured = await warm.answer(event, requests)
      if (round >= 0) rounds.push(measured)
    }
  }
  const cpu = functions.map(({ rounds }) => rounds.map(({ cpuMs }) => cpuMs))
  await Promise.all(functions.map(({ warm }) => warm[Symbol.asyncDispose]()))
  return functions.map(({ name, rounds }, index) => [
    String(limit),
    name,
    withSpread(cpu[index] ?? [], 2),
    withSpread(ratios(cpu[index] ?? [], cpu[0] ?? []), 2),
    median(rounds.map(({ ms }) => ms)).toFixed(2),
    ((rounds[0]?.bodyBytes ?? 0) / 1000).toFixed(1),
  ])
}

const rows: string[][] = []
for (const [limit, requests] of REQUESTS) rows.push(...(await measurePages(limit, requests)))
const { file } = await bundleFunction('functions/user-events', { outdir: folder.path })
const { environment } = engine
const memory = [await measurePeak({ file, environment })]
if (process.argv.includes('--memory')) memory.push(await measureGrowth({ file, environment }))
await writeReport('warm', [
  '# What a request costs a warm function',
  `\`npm run bench:warm\` compares the function \`user-events\` with a bare handler, which only sends one Query to DynamoDB and returns the items as JSON. Each of the two runs in its own process (Node.js ${process.version}) and answers many requests for a wallet's newest events. Instead of DynamoDB, another process replays recorded responses. The table shows medians of ${ROUNDS} rounds after ${WARMING_ROUNDS} unmeasured rounds and, in brackets, interquartile ranges. *Ratio to the bare handler* is the median of the rounds' ratios between the two CPU times.`,
  table(
    'records per page | function | CPU time per request, ms | ratio to the bare handler | elapsed time per request, ms | response body, KB',
    rows,
  ),
  '## Memory',
  ...memory,
])
