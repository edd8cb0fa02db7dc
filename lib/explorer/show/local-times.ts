const DATE = /^\d{4}-\d{2}-\d{2}$/
const UNIX_SECONDS = /^\d{9,12}$/

/**
 * A time parameter as a field of the browser takes it, in UTC: `2024-04-01T12:00:00`. A date alone is its first second,
 * or its last. Empty for what is no time, which the API refuses.
 */
export function localTime(value: string, { isEnd }: { isEnd: boolean }): string {
  if (DATE.test(value)) return `${value}T${isEnd ? '23:59:59' : '00:00:00'}`
  const milliseconds = UNIX_SECONDS.test(value) ? Number(value) * 1000 : Date.parse(value)
  return Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString().slice(0, -'.000Z'.length)
}

/** What a field of the browser holds, as a time parameter. Browsers leave out seconds that are 0. */
export function timeOfLocal(value: string): string {
  if (value === '') return ''
  return `${value.length === '2024-04-01T12:00'.length ? `${value}:00` : value}Z`
}
