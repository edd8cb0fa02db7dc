import type { SwitchedOff } from './find-switched-off.ts'
import { leaveOutWhatIsOff, type Template } from './template.ts'
import { tablesCoveredIn, tableUsedIn } from './template-tables.ts'

/**
 * Returns the loss if an update moves the functions to another table, and denies readers one of the two tables
 * meanwhile. CloudFormation changes the roles first, then the functions, and shifts the traffic last.
 */
export function findTableMove(
  deployed: Template,
  next: Template,
  { stage }: { stage: string },
): SwitchedOff[] {
  const before = leaveOutWhatIsOff(deployed)
  const after = leaveOutWhatIsOff(next)
  const from = tableUsedIn(before)
  const to = tableUsedIn(after)
  if (!from || !to || from === to) return []
  const advice = `npm run restore -- --stage ${stage} --table ${to} leads there without an outage`
  const name = 'TABLE_RIGHTS'
  if (!tablesCoveredIn(after).includes(from))
    return [
      {
        name,
        becomes: `functions that still read ${from} would be denied access before traffic moves to ${to}; ${advice}`,
      },
    ]
  if (!tablesCoveredIn(before).includes(to))
    return [{ name, becomes: `the roles do not cover ${to} yet, so its readers may be denied it; ${advice}` }]
  return []
}
