/**
 * `npm run world:bite`: plants each defect in the code, runs lives until a law is broken, and prints a table of the
 * laws that found the defects. Arguments restrict the run to the defects with these names.
 */
import { parseArgs } from 'node:util'
import { PLANTED_DEFECTS } from '../planted-defects.ts'
import { liveMany } from './live-many.ts'
import type { LifeReport } from './world-worker.ts'

const { values, positionals } = parseArgs({
  options: {
    lives: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (values.help) {
  console.log('npm run world:bite -- [--lives 1000] [--workers 2] [NAME ...]')
  process.exit()
}

const chosen = PLANTED_DEFECTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
let survivors = 0

console.log('| planted defect | found in life | by the law |\n| --- | --- | --- |')
for (const defect of chosen) {
  const found: LifeReport[] = []
  let failure: unknown
  await liveMany({
    firstSeed: 1,
    lives: Number(values.lives),
    workers: Number(values.workers),
    plant: JSON.stringify(defect),
    onLife(report) {
      if (report.breaches.length > 0) found.push(report)
      return report.breaches.length === 0
    },
  }).catch(error => {
    failure = error
  })
  const [first] = found.toSorted((a, b) => a.seed - b.seed)
  if (!first) survivors += 1
  const law = failure ? String(failure) : (first?.breaches[0]?.law ?? 'none')
  console.log(`| ${defect.sentence} (${defect.name}) | ${first?.seed ?? '–'} | ${law} |`)
}
console.log(`\n${chosen.length} defects, ${survivors} survived`)
process.exitCode = survivors > 0 ? 1 : 0
