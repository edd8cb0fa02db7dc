import { InvalidArgumentError, Option } from 'commander'
import { DEFAULT_KEPT_DAYS } from '../store/writing/append-revision.ts'

function parseDays(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number of days, from 1 to 9999.')
}

/** The option for how long the log of revisions keeps an entry. */
export const keptDaysOption = () =>
  new Option('--changes-kept-days <number>', 'for how many days readers of the feed may stay away')
    .argParser(parseDays)
    .default(DEFAULT_KEPT_DAYS)
