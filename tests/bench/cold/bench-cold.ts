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
import { measureStart, type Pause, type Start } from './measure-start.ts'

const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 15

const BARE = 'tests/bench/cold/bare-function'
const [USERS, TOKENS] = ['functions/user-events', 'functions/token-events']
/** All functions are compared with the first. Those with `waits` also start with a pause before their first request. */
const FUNCTIONS = [
  {
    name: 'bare function: minified, ES modules preferred',
    entry: BARE,
    build: 'without-plugins',
    waits: true,
  },
  { name: 'bare function, built as ours', entry: BARE, build: 'deployed', waits: false },
  { name: 'user-events', entry: USERS, build: 'deployed', waits: true },
  { name: 'token-events', entry: TOKENS, build: 'deployed', waits: true },
  { name: 'user-events, naive build', entry: USERS, build: 'naive', waits: false },
] as const

interface Variant {
  name: string
  bundle: Bundle
  event: object
  starts: Partial<Record<Pause, Start[]>>
}

const outdir = await mkdtemp(path.join(tmpdir(), 'bench-cold-'))
const engine = await startRecordedEngine(walletEvents())

async function bundleAll(): Promise<Variant[]> {
  const all: Variant[] = []
  for (const { name, entry, build, waits } of FUNCTIONS) {
    const bundle = await bundleFunction(entry, { outdir: path.join(outdir, build), build })
    const event = entry === TOKENS ? newestEvents.ofToken(50) : newestEvents.ofUser(50)
    all.push({ name, bundle, event, starts: { none: [], ...(waits && { awake: [], frozen: [] }) } })
  }
  return all
}

function report(all: Variant[]): string[] {
  const of = ({ starts }: Variant, key: keyof Start, pause: Pause) =>
    (starts[pause] ?? []).map(start => start[key])
  const cells = (variant: Variant, key: keyof Start, pause: Pause = 'none') => {
    const [values, bare] = [variant, all[0] as Variant].map(each => of(each, key, pause))
    return [withSpread(values ?? [], 0), median(ratios(values ?? [], bare ?? [])).toFixed(2)]
  }
  return [
    '# How fast functions start',
    `\`npm run bench:cold\`: ${ROUNDS} rounds. In each round, every function starts once in a fresh process (Node.js ${process.version}) and answers with 50 records that a local process replays. The table shows medians, with the interquartile range in brackets. × bare is the median of the rounds' ratios to the first bare function.`,
    table(
      'function | KB | loading, ms | × bare | process start to loaded, ms | × bare | process start to first answer, ms | × bare | CPU until loaded, ms | × bare | CPU until first answer, ms | × bare',
      all.map(variant => [
        variant.name,
        (variant.bundle.bytes / 1000).toFixed(0),
        ...(['loadMs', 'loadedMs', 'answeredMs', 'loadedCpuMs', 'answeredCpuMs'] as const).flatMap(key =>
          cells(variant, key),
        ),
      ]),
    ),
    'The first request arrives 100 ms after the function is loaded, and until then, the process is either awake or frozen:',
    table(
      'function | meanwhile | first request, ms | × bare',
      (['awake', 'frozen'] as const).flatMap(pause =>
        all
          .filter(({ starts }) => starts[pause])
          .map(variant => [variant.name, pause, ...cells(variant, 'waitedMs', pause)]),
      ),
    ),
  ]
}

try {
  const all = await bundleAll()
  // Round 0 is not measured, because it fills the file system's cache, and records the engine's answers for the replay.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { bundle, event, starts } of round % 2 === 0 ? all : all.toReversed()) {
      for (const [pause, measured] of Object.entries(starts) as [Pause, Start[]][]) {
        const { environment } = engine
        const start = await measureStart({ file: bundle.file, event, environment, pause })
        if (round > 0) measured.push(start)
      }
    }
  }
  await writeReport('cold', report(all))
} finally {
  await engine.stop()
  await rm(outdir, { recursive: true })
}
