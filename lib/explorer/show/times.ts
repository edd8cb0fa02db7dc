import type { BarUnit, Span } from '../activity/cut-bars.ts'

type Format = Intl.DateTimeFormatOptions

const DATE: Format = { day: 'numeric', month: 'short', year: 'numeric' }
const TIME: Format = { hour: '2-digit', minute: '2-digit', second: '2-digit' }

/** As everything on the page, in UTC: the dates in an address line mean UTC, too. */
const inUtc = (milliseconds: number, format: Format) =>
  new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(milliseconds)

export const formatDate = (time: string): string => inUtc(Date.parse(time), DATE)
export const formatTime = (time: string): string => inUtc(Date.parse(time), TIME)

const BAR_FORMATS: Readonly<Record<BarUnit, Format>> = {
  minute: { hour: '2-digit', minute: '2-digit' },
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}

/** What stands below a bar: where it begins. */
export const barLabel = ({ from }: Span, unit: BarUnit): string => inUtc(from * 1000, BAR_FORMATS[unit])

/** A bar's span in words, both ends included. */
export function spanLabel({ from, to }: Span): string {
  const format: Format = to - from < 86_399 ? { ...DATE, hour: '2-digit', minute: '2-digit' } : DATE
  const [first, last] = [inUtc(from * 1000, format), inUtc(to * 1000, format)]
  return first === last ? first : `${first} to ${last}`
}

/** As a parameter of the API. */
export const timeValue = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '')

type Age = readonly [Intl.RelativeTimeFormatUnit, number]

const SECONDS: Age = ['second', 1]
const AGES: readonly Age[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago a time is, or how far ahead: "3 days ago". */
export function relativeTime(time: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(time)) / 1000
  const [unit, length] = AGES.find(([, size]) => Math.abs(seconds) >= size) ?? SECONDS
  return new Intl.RelativeTimeFormat('en').format(-Math.trunc(seconds / length), unit)
}
