import type { ChangePage } from '../../../client/create-events-client.ts'
import { counted } from '../../../kit/printable.ts'
import type { Reporter } from '../../../kit/reporter.ts'
import { explainClientError } from '../../../kit/unreachable-reasons.ts'
import type { EventCopy } from '../open-copy.ts'
import type { BalanceCheck } from './check-balances.ts'

const LINE_EVERY_MS = 10_000

export function reportTrouble(error: Error, reporter: Reporter) {
  const message = `${explainClientError(error)}; the command keeps retrying, at least every five minutes`
  reporter.tell({ event: 'trouble', level: 'error', message })
}

export function reportPages(copy: EventCopy, reporter: Reporter) {
  let toldAt = Number.NEGATIVE_INFINITY
  let wasUpToDate = false
  let applied = 0
  return {
    async onPage(page: ChangePage) {
      applied += page.changes.length
      const { isUpToDate } = page
      const isDue = performance.now() - toldAt >= LINE_EVERY_MS
      if (!isDue && (wasUpToDate || !isUpToDate)) {
        wasUpToDate &&= page.changes.length === 0
        return
      }
      toldAt = performance.now()
      wasUpToDate = isUpToDate
      const { text, lagSeconds } = describeLag(page, Date.now())
      const events = await copy.count()
      const message = `${isUpToDate ? 'Up to date' : 'Catching up'}: ${counted(events, 'event')}, ${counted(applied, 'change')} applied${text}`
      reporter.tell({
        event: isUpToDate ? 'up-to-date' : 'progress',
        events,
        changes: applied,
        ...(lagSeconds && { lagSeconds }),
        message,
      })
    },
    onRestart() {
      reporter.tell({
        event: 'restarted',
        message: 'The copy was too old to be brought up to date, so it is being rebuilt',
      })
    },
  }
}

/** Sets the exit code to 1 if a balance differs, or if no balance could be compared. */
export function reportCheck(
  { network, blockNumber, equal, different, untold }: BalanceCheck,
  reporter: Reporter,
) {
  for (const message of different) reporter.tell({ event: 'different', level: 'error', message })
  const sums = [
    `${equal} equal`,
    `${different.length} different`,
    ...(untold > 0 ? [`${untold} not returned by the node`] : []),
  ]
  reporter.conclude({
    event: 'checked',
    network,
    blockNumber,
    equal,
    different: different.length,
    untold,
    message: `Balances at block ${blockNumber} of ${network}: ${sums.join(', ')}`,
  })
  if (different.length > 0 || equal === 0) process.exitCode = 1
}

/** `lagSeconds` contains the age of each network's newest indexed block. If no age is known, `text` is empty. */
function describeLag({ indexedThrough }: ChangePage, now: number) {
  const ages = (indexedThrough ?? '').split(', ').flatMap((part): [string, number][] => {
    const [, network, time] = /^([^=]+)=\d+@(.+)$/.exec(part) ?? []
    return network && time ? [[network, Math.max(0, Math.round((now - Date.parse(time)) / 1000))]] : []
  })
  if (ages.length === 0) return { text: '', lagSeconds: undefined }
  const text = ages.map(([network, seconds]) => `${network} ${seconds} s`).join(', ')
  return { text: `; age of the newest indexed block: ${text}`, lagSeconds: Object.fromEntries(ages) }
}
