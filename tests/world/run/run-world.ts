/** `npm run world`: runs many lives of the simulated world, and prints the broken laws. */
import { Option } from 'commander'
import { createCommand } from '../../../lib/kit/create-command.ts'
import { parseCount, wholeNumber } from '../../../lib/kit/parse-options.ts'
import { PLANTED_DEFECTS } from '../planted-defects.ts'
import { liveMany, tellShortest } from './live-many.ts'

interface WorldOptions {
  seed: number
  lives: number
  workers: number
  plant?: string
  digests: boolean
  all: boolean
}

await createCommand('world')
  .description('Runs many lives of the simulated world, and prints the broken laws.')
  .option('--seed <number>', 'seed of the first life', wholeNumber(/^\d{1,12}$/, 'up to 12 digits'), 1)
  .option('--lives <number>', 'number of lives', parseCount, 100)
  .option('--workers <number>', 'number of processes', parseCount, 2)
  .addOption(
    new Option(
      '--plant <name>',
      'put a defect of planted-defects.ts into the code, and end at the first broken law',
    ).choices(PLANTED_DEFECTS.map(({ name }) => name)),
  )
  .option('--digests', 'print the digest of each life', false)
  .option('--all', 'continue after a broken law, and shorten nothing', false)
  .action(run)
  .parseAsync()

async function run({ seed, workers, digests, all, ...given }: WorldOptions): Promise<void> {
  const startedAt = performance.now()
  const defect = PLANTED_DEFECTS.find(({ name }) => name === given.plant)
  const plant = defect && JSON.stringify(defect)
  const tally = new Map<string, number>()
  let [lives, calls] = [0, 0]
  const broken = await liveMany({
    ...{ firstSeed: seed, lives: given.lives, workers, plant, all },
    onLife(report) {
      lives += 1
      calls += report.calls
      for (const [what, times] of report.tally) tally.set(what, (tally.get(what) ?? 0) + times)
      if (digests) console.log(`${report.seed} ${report.digest}`)
      for (const { law, detail } of report.breaches.slice(0, 3))
        console.log(`Life ${report.seed} breaks the law: ${law}\n  ${detail}`)
    },
  })
  const seconds = (performance.now() - startedAt) / 1000
  const [first] = broken
  const [breach] = first?.breaches ?? []
  if (first && breach && !all) {
    const { story, breaches } = await tellShortest(first.seed, { law: breach.law, plant })
    console.log(`\nLife ${first.seed}, shortened:\n${story.join('\n')}\n`)
    for (const { law, detail } of breaches) console.log(`${law}\n  ${detail}`)
  }
  const lines = [...tally].sort().map(([what, times]) => `${what}: ${times}`)
  console.log(`\n${lines.join('\n')}\n`)
  console.log(`${lives} lives, ${calls} calls, ${seconds.toFixed(1)} s: ${broken.length} broke a law`)
  process.exitCode = broken.length > 0 ? 1 : 0
}
