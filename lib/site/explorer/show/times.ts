import type { BarUnit, Span } from '../activity/cut-bars.ts'

type Format = Intl.DateTimeFormatOptions

const DATE: Format = { day: 'numeric', month: 'short', year: 'numeric' }
const TIME: Format = { hour: '2-digit', minute: '2-digit', second: '2-digit' }

/** Formatters are cached, because creating a formatter takes longer than formatting a row. */
const formatters = new Map<Format, Intl.DateTimeFormat>()

/** All times on the page and all dates in its URL are in UTC. */
function inUtc(milliseconds: number, format: Format): string {
  const formatter = formatters.get(format) ?? new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' })
  formatters.set(format, formatter)
  return formatter.format(milliseconds)
}

export const formatDate = (time: string): string => inUtc(Date.parse(time), DATE)
export const formatTime = (time: string): string => inUtc(Date.parse(time), TIME)

const CLOCK: Format = { hour: '2-digit', minute: '2-digit' }
const DAY_AND_MONTH: Format = { day: 'numeric', month: 'short' }
const YEAR: Format = { year: 'numeric' }

/** The formats of a label and its second line, which also applies to the following bars up to the next second line. */
const BAR_FORMATS: Readonly<Record<BarUnit, readonly [Format, Format?]>> = {
  minute: [CLOCK, DATE],
  hour: [CLOCK, DATE],
  day: [DAY_AND_MONTH, YEAR],
  week: [DAY_AND_MONTH, YEAR],
  month: [{ month: 'short' }, YEAR],
  year: [YEAR],
}

/** Labels show the bars' starts. The first bar, and each bar that begins a new day or year, has a second line. */
export function barLabels(bars: readonly Span[], unit: BarUnit): string[] {
  const [fine, coarse] = BAR_FORMATS[unit]
  const coarseOf = (bar: Span | undefined) => (coarse && bar ? inUtc(bar.from * 1000, coarse) : '')
  return bars.map((bar, place) => {
    const below = coarseOf(bar)
    const label = inUtc(bar.from * 1000, fine)
    return below === coarseOf(bars[place - 1]) ? label : `${label}\n${below}`
  })
}

const DATE_AND_CLOCK: Format = { ...DATE, ...CLOCK }

export function spanLabel({ from, to }: Span): string {
  const format = to - from < 86_399 ? DATE_AND_CLOCK : DATE
  const [first, last] = [inUtc(from * 1000, format), inUtc(to * 1000, format)]
  return first === last ? first : `${first} to ${last}`
}

export const timeValue = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '')

const RELATIVE = new Intl.RelativeTimeFormat('en')

type Age = readonly [Intl.RelativeTimeFormatUnit, number]

const SECONDS: Age = ['second', 1]
const AGES: readonly Age[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Describes a past or future time relative to now, such as "3 days ago". */
export function relativeTime(time: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(time)) / 1000
  const [unit, length] = AGES.find(([, size]) => Math.abs(seconds) >= size) ?? SECONDS
  return RELATIVE.format(-Math.trunc(seconds / length), unit)
}

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/
const UNIX_SECONDS = /^\d{9,12}$/

/**
 * Returns a date and a time in UTC. `time` is empty if `value` is only a date. Both are empty for an invalid time,
 * which the API rejects.
 */
export function readTime(value: string): { date: string; time: string } {
  if (DATE_ONLY.test(value)) return { date: value, time: '' }
  const milliseconds = UNIX_SECONDS.test(value) ? Number(value) * 1000 : Date.parse(value)
  if (Number.isNaN(milliseconds)) return { date: '', time: '' }
  const [date = '', time = ''] = new Date(milliseconds).toISOString().split('T')
  return { date, time: time.slice(0, '12:00:00'.length) }
}

/** Adds the seconds, because browsers omit seconds that are 0. */
export function writeTime(date: string, time: string): string {
  if (date === '' || time === '') return date
  return `${date}T${time.length === '12:00'.length ? `${time}:00` : time}Z`
}
