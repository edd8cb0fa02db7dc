import { readFileSync } from 'node:fs'
import { KINDS } from '../../../lib/site/explorer/activity/read-activity.ts'

const styles = readFileSync(new URL('../../../lib/site/explorer/explorer.css', import.meta.url), 'utf8')

test.each(KINDS)('%s has a colour of its own', kind => {
  expect(styles).toMatch(new RegExp(`^\\[data-kind="${kind}"\\] \\{`, 'm'))
})
