/** A time in attoseconds since 1970, which represent 18 decimals of a second exactly. */
export type Moment = bigint

const SECOND = 10n ** 18n
const DAY = 86_400n
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/**
 * Returns undefined for an invalid value. According to the interface, a date without a time means its first second in
 * `fromTime`, and its last second in `toTime`.
 */
export function momentOf(text: string, name: 'fromTime' | 'toTime'): Moment | undefined {
  if (/^\d+$/.test(text)) {
    const isSeconds = text.length <= 12 && text.length !== 4 && text.length !== 8
    return isSeconds ? BigInt(text) * SECOND : undefined
  }
  const [date = '', clock] = [text.slice(0, 10), text.slice(10)]
  const days = daysUntil(date)
  if (days === undefined) return undefined
  if (clock === '') return SECOND * (days * DAY + (name === 'toTime' ? DAY - 1n : 0n))
  const match = /^T(\d\d):(\d\d):(\d\d)(\.\d{1,18})?(Z|[+-]\d\d:\d\d)$/i.exec(clock)
  if (!match) return undefined
  const [, hour = '', minute = '', second = '', decimals = '.', zone = ''] = match
  const offset = /^z$/i.test(zone) ? 0n : offsetOf(zone)
  if (offset === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined
  const ofDay = BigInt(hour) * 3600n + BigInt(minute) * 60n + BigInt(second)
  return SECOND * (days * DAY + ofDay - offset) + BigInt(decimals.slice(1).padEnd(18, '0'))
}

export const momentOfSecond = (seconds: number): Moment => BigInt(seconds) * SECOND

function offsetOf(zone: string): bigint | undefined {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  if (hours > 23 || minutes > 59) return undefined
  return BigInt((zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60))
}

/** Returns the days from 1970-01-01 to the date, or undefined if the date does not exist. */
function daysUntil(date: string): bigint | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const months = DAYS_OF_MONTHS.with(1, isLeapYear(year) ? 29 : 28)
  if (month < 1 || month > 12 || day < 1 || day > (months[month - 1] ?? 0)) return undefined
  let days = months.slice(0, month - 1).reduce((sum, length) => sum + length, 0) + day - 1
  for (let each = Math.min(year, 1970); each < Math.max(year, 1970); each += 1) {
    days += (year < 1970 ? -1 : 1) * (isLeapYear(each) ? 366 : 365)
  }
  return BigInt(days)
}
