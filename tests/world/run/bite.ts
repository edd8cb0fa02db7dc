/**
 * `npm run world:bite`: plants each defect in the code, runs lives until a law is broken, and prints a table of the
 * laws that found the defects. Arguments restrict the run to the defects with these names.
 */
import { createCommand } from '../../../lib/kit/create-command.ts'
import { addOneOf, parseCount } from '../../../lib/kit/parse-options.ts'
import { PLANTED_DEFECTS } from '../planted-defects.ts'
import { liveMany } from './live-many.ts'

const command = createCommand('world:bite')
  .description('Plants each defect in the code, and prints the laws that found the defects.')
  .argument('[name...]', 'only these planted defects', addOneOf(PLANTED_DEFECTS.map(({ name }) => name)))
  .option('--lives <number>', 'maximum number of lives for each defect', parseCount, 1000)
  .option('--workers <number>', 'number of processes', parseCount, 2)
  .parse()
const { lives, workers } = command.opts<{ lives: number; workers: number }>()
const [names = []] = command.processedArgs as [string[]?]
const chosen = PLANTED_DEFECTS.filter(({ name }) => names.length === 0 || names.includes(name))
let survivors = 0

console.log('| planted defect | found in life | by the law |\n| --- | --- | --- |')
for (const defect of chosen) {
  let law = 'none'
  const plant = JSON.stringify(defect)
  const [first] = await liveMany({ firstSeed: 1, lives, workers, plant }).catch(error => {
    law = String(error)
    return []
  })
  if (first) law = first.breaches[0]?.law ?? law
  else survivors += 1
  console.log(`| ${defect.sentence} (${defect.name}) | ${first?.seed ?? '–'} | ${law} |`)
}
console.log(`\n${chosen.length} defects, ${survivors} survived`)
process.exitCode = survivors > 0 ? 1 : 0
