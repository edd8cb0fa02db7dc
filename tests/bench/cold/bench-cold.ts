/** `npm run bench:cold` measures how fast functions start, compared with a bare function and a naive build. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Bundle, bundleFunction } from '../../support/programs/bundle-function.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { newestEvents, walletEvents } from '../recorded/newest-events.ts'
import { startRecordedEngine } from '../recorded/recorded-engine.ts'
import { median, ratios, table, withSpread } from '../recorded/statistics.ts'
import { writeReport } from '../recorded/write-report.ts'
import { measureStart, type Start } from './measure-start.ts'

const BARE = 'tests/bench/cold/bare-function'
const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 15

const outdir = await mkdtemp(path.join(tmpdir(), 'bench-cold-'))
const engine = await startRecordedEngine(walletEvents())

interface Variant {
  name: string
  bundle: Bundle
  starts: Start[]
  /** Starts of instances that wait for some time before their first request. */
  startsAhead?: { awake: Start[]; frozen: Start[] }
}

const ahead = () => ({ awake: [], frozen: [] })

async function variants(): Promise<Variant[]> {
  const bare = await bundleFunction(BARE, { outdir: path.join(outdir, 'bare'), build: 'without-plugins' })
  const bareAsOurs = await bundleFunction(BARE, { outdir })
  const users = await bundleFunction('functions/user-events', { outdir })
  const tokens = await bundleFunction('functions/token-events', { outdir })
  const naive = await bundleFunction('functions/user-events', {
    outdir: path.join(outdir, 'naive'),
    build: 'naive',
  })
  return [
    { name: 'bare function: minified, ES modules preferred', bundle: bare, starts: [], startsAhead: ahead() },
    { name: 'bare function, built as ours', bundle: bareAsOurs, starts: [] },
    { name: 'user-events', bundle: users, starts: [], startsAhead: ahead() },
    { name: 'token-events', bundle: tokens, starts: [], startsAhead: ahead() },
    { name: 'user-events, naive build', bundle: naive, starts: [] },
  ]
}

const eventFor = ({ bundle }: Variant) =>
  bundle.file.includes('token-events') ? newestEvents.ofToken(50) : newestEvents.ofUser(50)

function report(all: Variant[]): string[] {
  const [bare] = all
  if (!bare) throw new Error('Nothing was measured')
  const of = (variant: Variant, key: keyof Start) => variant.starts.map(start => start[key])
  const row = (variant: Variant) => {
    const beside = (key: keyof Start) => median(ratios(of(variant, key), of(bare, key))).toFixed(2)
    return [
      variant.name,
      (variant.bundle.bytes / 1000).toFixed(0),
      ...(['loadMs', 'loadedMs', 'answeredMs', 'loadedCpuMs', 'answeredCpuMs'] as const).flatMap(key => [
        withSpread(of(variant, key), 0),
        beside(key),
      ]),
    ]
  }
  return [
    '# How fast functions start',
    `\`npm run bench:cold\`: ${ROUNDS} rounds. In each round, every function starts once in a fresh process (Node.js ${process.version}) and answers with 50 records that a local process replays. The table shows medians, with the interquartile range in brackets. × bare is the median of the rounds' ratios to the first bare function.`,
    table(
      'function | KB | loading, ms | × bare | process start to loaded, ms | × bare | process start to first answer, ms | × bare | CPU until loaded, ms | × bare | CPU until first answer, ms | × bare',
      all.map(row),
    ),
    'The first request arrives 100 ms after the function is loaded, and until then, the process is either awake or frozen:',
    table('function | meanwhile | first request, ms | × bare', aheadRows(all)),
  ]
}

function aheadRows(all: Variant[]): string[][] {
  const bare = all[0]?.startsAhead ?? ahead()
  const waitedMs = (starts: Start[]) => starts.map(start => start.waitedMs)
  return (['awake', 'frozen'] as const).flatMap(meanwhile =>
    all.flatMap(({ name, startsAhead }) => {
      if (!startsAhead) return []
      const waited = waitedMs(startsAhead[meanwhile])
      const beside = median(ratios(waited, waitedMs(bare[meanwhile]))).toFixed(2)
      return [[name, meanwhile, withSpread(waited, 0), beside]]
    }),
  )
}

try {
  const all = await variants()
  // Round 0 is not measured. This round fills the file system's cache, and records the engine's answers for the replay.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const variant of round % 2 === 0 ? all : all.toReversed()) {
      const { file } = variant.bundle
      const { environment } = engine
      const options = { file, event: eventFor(variant), environment }
      const start = await measureStart(options)
      if (round > 0) variant.starts.push(start)
      for (const pause of ['awake', 'frozen'] as const) {
        if (!variant.startsAhead) continue
        const ahead = await measureStart({ ...options, pause })
        if (round > 0) variant.startsAhead[pause].push(ahead)
      }
    }
  }
  await writeReport('cold', report(all))
} finally {
  await engine.stop()
  await rm(outdir, { recursive: true })
}
