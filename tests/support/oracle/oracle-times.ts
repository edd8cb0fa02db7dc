/** A time in attoseconds since 1970, which represent 18 decimals of a second exactly. */
export type Moment = bigint

const SECOND = 10n ** 18n
const DAY = 86_400n

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
  const ms = Date.parse(date)
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(ms)) return undefined
  // JavaScript takes February 30 for a day of March.
  return new Date(ms).toISOString().startsWith(date) ? BigInt(ms / 86_400_000) : undefined
}
