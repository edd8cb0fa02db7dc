import { MAX_SECONDS } from '../events/place.ts'
import { readWith } from './value-schemas.ts'

/** A time that may have a fraction of a second, although the times of events are whole seconds. */
export interface Instant {
  /** Unix seconds, rounded down. */
  seconds: number
  /** The digits of the fraction of a second, without trailing zeros. */
  fraction: string
}

/** Whether a date without a time means its first or its last second. */
type DayEnd = 'first' | 'last'

const DAY_SECONDS = 86_400
const FORMS =
  'must be a date-time with its zone (2024-04-01T12:00:00Z), a date (2024-04-01) or Unix seconds of up to 12 digits'
const UNIX_SECONDS = /^\d{1,12}$/
const YEAR = /^\d{4}$/
const DATE_WITHOUT_HYPHENS = /^\d{8}$/
const DATE = /^\d{4}-\d\d-\d\d$/
/** The date-time of RFC 3339, section 5.6. The zone is optional here, so that a missing zone gets its own message. */
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))?$/
const ZONE = /([Zz]|[+-]\d\d:\d\d)$/

export const instant = (dayEnd: DayEnd) => readWith(text => readInstant(text, dayEnd))

export const compareInstants = (a: Instant, b: Instant): number =>
  a.seconds - b.seconds || (a.fraction < b.fraction ? -1 : Number(a.fraction > b.fraction))

/** The first whole second at or after the moment, limited to the range from 0 to `MAX_SECONDS + 1`. */
export const firstSecondFrom = ({ seconds, fraction }: Instant): number =>
  Math.min(Math.max(0, fraction === '' ? seconds : seconds + 1), MAX_SECONDS + 1)

/** The last whole second at or before the moment, limited to the range from -1 to `MAX_SECONDS`. */
export const lastSecondTo = ({ seconds }: Instant): number => Math.min(Math.max(-1, seconds), MAX_SECONDS)

function readInstant(text: string, dayEnd: DayEnd): Instant | string {
  if (/^\d+$/.test(text)) return readUnixSeconds(text)
  if (DATE.test(text)) {
    const midnight = midnightOf(text)
    if (midnight === undefined) return NO_DAY
    return { seconds: dayEnd === 'first' ? midnight : midnight + DAY_SECONDS - 1, fraction: '' }
  }
  return readDateTime(text)
}

const NO_DAY = 'is a day that does not exist in the calendar'

function readUnixSeconds(digits: string): Instant | string {
  if (YEAR.test(digits)) return `is a year: write a date, such as ${digits}-01-01`
  if (DATE_WITHOUT_HYPHENS.test(digits)) {
    const date = digits.replace(/^(....)(..)/, '$1-$2-')
    const example = midnightOf(date) === undefined ? '2024-04-01' : date
    return `must have hyphens if it is a date, such as ${example}; if it is Unix seconds, write a 0 before it`
  }
  if (!UNIX_SECONDS.test(digits)) {
    return 'has more than 12 digits, so it seems to be in milliseconds: write Unix seconds, or a date-time'
  }
  return { seconds: Number(digits), fraction: '' }
}

function readDateTime(text: string): Instant | string {
  const match = DATE_TIME.exec(text)
  if (!match) return misspelt(text)
  const [, date = '', hours, minutes, seconds, fraction = '', sign, offsetHours, offsetMinutes] = match
  if (!ZONE.test(text)) return NO_ZONE
  const midnight = midnightOf(date)
  if (midnight === undefined) return NO_DAY
  const offset = 3600 * Number(offsetHours ?? 0) + 60 * Number(offsetMinutes ?? 0)
  const local = midnight + 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds)
  const utc = sign === '-' ? local + offset : local - offset
  // Unix time has no leap seconds, so a leap second is treated as the first second of the following month.
  if (seconds === '60' && !isStartOfMonth(utc)) return FORMS
  // Unlike `/0+$/`, this pattern takes linear time, even if a long fraction consists of zeros.
  return { seconds: utc, fraction: /^\d*[1-9]/.exec(fraction)?.[0] ?? '' }
}

const NO_ZONE = 'has no zone: append Z for UTC, or an offset such as -05:00 (a + is %2B in a URL)'

function misspelt(text: string): string {
  const withT = text.replace(' ', 'T')
  if (/ \d\d:\d\d$/.test(text) && DATE_TIME.test(text.replace(/ (?=\d\d:\d\d$)/, '+'))) {
    return 'has a space instead of a +: in a URL, write + as %2B'
  }
  return DATE_TIME.test(withT) ? 'must have a T between date and time' : FORMS
}

/** Returns the date's first second in UTC, or undefined if the date does not exist. */
function midnightOf(date: string): number | undefined {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date) ? undefined : ms / 1000
}

const isStartOfMonth = (seconds: number) => new Date(seconds * 1000).toISOString().includes('-01T00:00:00')
