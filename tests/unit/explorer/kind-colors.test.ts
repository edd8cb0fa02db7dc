import { readFileSync } from 'node:fs'
import { KINDS } from '../../../lib/explorer/occurrence/kind-labels.ts'

const styles = readFileSync(new URL('../../../lib/explorer/explorer.css', import.meta.url), 'utf8')

test.each(KINDS)('%s has a colour of its own', kind => {
  expect(styles).toMatch(new RegExp(`^\\[data-kind="${kind}"\\] \\{`, 'm'))
})
