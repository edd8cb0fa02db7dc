/** `npm run world`: runs many lives of the simulated world, and prints the broken laws. */
import { parseArgs } from 'node:util'
import { PLANTED_DEFECTS } from '../planted-defects.ts'
import { liveMany, tellShortest } from './live-many.ts'
import type { LifeReport } from './world-worker.ts'

const USAGE = `npm run world -- [--seed 1] [--lives 100] [--workers 2] [--plant NAME] [--digests] [--all]

--plant    puts a defect of planted-defects.ts into the code, and ends at the first broken law
--digests  prints the digest of each life
--all      goes on after a broken law, and shortens nothing`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '100' },
    workers: { type: 'string', default: '2' },
    plant: { type: 'string' },
    digests: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(USAGE)
else process.exitCode = await run()

async function run(): Promise<number> {
  const startedAt = performance.now()
  const plant = values.plant === undefined ? undefined : planted(values.plant)
  const broken: LifeReport[] = []
  const tally = new Map<string, number>()
  let [lives, calls] = [0, 0]
  await liveMany({
    firstSeed: Number(values.seed),
    lives: Number(values.lives),
    workers: Number(values.workers),
    plant,
    onLife(report) {
      lives += 1
      calls += report.calls
      for (const [what, times] of report.tally) tally.set(what, (tally.get(what) ?? 0) + times)
      if (values.digests) console.log(`${report.seed} ${report.digest}`)
      if (report.breaches.length === 0) return true
      broken.push(report)
      for (const { law, detail } of report.breaches.slice(0, 3))
        console.log(`Life ${report.seed} breaks the law: ${law}\n  ${detail}`)
      return values.all
    },
  })
  const seconds = (performance.now() - startedAt) / 1000
  const [first] = broken.toSorted((a, b) => a.seed - b.seed)
  const [breach] = first?.breaches ?? []
  if (first && breach && !values.all) {
    const { story, breaches } = await tellShortest(first.seed, { law: breach.law, plant })
    console.log(`\nLife ${first.seed}, shortened:\n${story.join('\n')}\n`)
    for (const { law, detail } of breaches) console.log(`${law}\n  ${detail}`)
  }
  const lines = [...tally].sort().map(([what, times]) => `${what}: ${times}`)
  console.log(`\n${lines.join('\n')}\n`)
  console.log(`${lives} lives, ${calls} calls, ${seconds.toFixed(1)} s: ${broken.length} broke a law`)
  return broken.length > 0 ? 1 : 0
}

function planted(name: string): string {
  const found = PLANTED_DEFECTS.find(defect => defect.name === name)
  if (!found) throw new Error(`No planted defect is called ${name}`)
  return JSON.stringify(found)
}
