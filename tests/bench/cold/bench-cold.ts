/** `npm run bench:cold` measures how fast functions start, compared with a bare function and a naive build. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Bundle, bundleFunction } from '../../support/programs/bundle-function.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { newestEvents, walletEvents } from '../recorded/newest-events.ts'
import { startRecordedEngine } from '../recorded/recorded-engine.ts'
import { median, ratios, table, withSpread, writeReport } from '../recorded/report.ts'
import { measureStart, type Pause, type Start } from './measure-start.ts'

const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 15

const BARE = 'tests/bench/cold/bare-function'
const [USERS, TOKENS] = ['functions/user-events', 'functions/token-events']
/** All functions are compared with the first. Those with `waits` also start with a pause before their first request. */
const FUNCTIONS = [
  {
    name: 'bare function, minified, from ES modules',
    entry: BARE,
    build: 'without-plugins',
    waits: true,
  },
  { name: "bare function, built like the service's functions", entry: BARE, build: 'deployed', waits: false },
  { name: '`user-events`', entry: USERS, build: 'deployed', waits: true },
  { name: '`token-events`', entry: TOKENS, build: 'deployed', waits: true },
  { name: "`user-events`, naive build (esbuild's defaults)", entry: USERS, build: 'naive', waits: false },
] as const

interface Variant {
  name: string
  bundle: Bundle
  event: object
  starts: Partial<Record<Pause, Start[]>>
}

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'bench-cold-'))
await using engine = await startRecordedEngine(walletEvents())

async function bundleAll(): Promise<Variant[]> {
  const all: Variant[] = []
  for (const { name, entry, build, waits } of FUNCTIONS) {
    const bundle = await bundleFunction(entry, { outdir: path.join(folder.path, build), build })
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
    `\`npm run bench:cold\` compares the service's functions, bundled as for Lambda, with a bare function, which only sends one Query to DynamoDB. In each of ${ROUNDS} rounds, every function starts once in a new process (Node.js ${process.version}) and answers a request for 50 records. Instead of DynamoDB, a local process replays recorded responses. The tables show medians and, in brackets, interquartile ranges. *Ratio* divides the time in the column before it by the same round's time of the bare function in the first row, and is the median over all rounds.`,
    table(
      'function | bundle, KB | time to load the bundle, ms | ratio | time from process start until loaded, ms | ratio | time from process start to the first answer, ms | ratio | CPU time until loaded, ms | ratio | CPU time until the first answer, ms | ratio',
      all.map(variant => [
        variant.name,
        (variant.bundle.bytes / 1000).toFixed(0),
        ...(['loadMs', 'loadedMs', 'answeredMs', 'loadedCpuMs', 'answeredCpuMs'] as const).flatMap(key =>
          cells(variant, key),
        ),
      ]),
    ),
    'In a second measurement, the first request arrives 100 ms after the function is loaded. Until then, the process either keeps running (awake) or is stopped (frozen), as Lambda freezes an idle instance:',
    table(
      'function | process before the request | time from request to answer, ms | ratio',
      (['awake', 'frozen'] as const).flatMap(pause =>
        all
          .filter(({ starts }) => starts[pause])
          .map(variant => [variant.name, pause, ...cells(variant, 'waitedMs', pause)]),
      ),
    ),
  ]
}

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
