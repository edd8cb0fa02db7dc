import fc from 'fast-check'
import { cutBars } from '../../../lib/site/explorer/activity/cut-bars.ts'
import { isLogarithmic } from '../../../lib/site/explorer/activity/read-activity.ts'
import { barLabels, spanLabel } from '../../../lib/site/explorer/show/times.ts'

const seconds = (time: string) => Date.parse(time) / 1000

const LATEST = seconds('2100-01-01')

test('bars cover each second from the first to the last, and are at most as many as requested', () => {
  const times = fc.tuple(fc.nat(LATEST), fc.nat(LATEST)).map(pair => pair.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(times, fc.integer({ min: 14, max: 60 }), ([from = 0, to = 0], most) => {
      const { unit, spans } = cutBars({ from, to }, most)

      expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, to])
      for (const [index, { to: end }] of spans.slice(0, -1).entries())
        expect(spans[index + 1]?.from).toBe(end + 1)
      expect(unit === 'year' || spans.length <= most).toBe(true)
    }),
  )
})

test.each([
  ['2024-04-01T00:00:10Z', '2024-04-01T00:10:00Z', 'minute', ['00:00\n1 Apr 2024', '00:01']],
  ['2024-04-01T12:30:00Z', '2024-04-02T10:00:00Z', 'hour', ['12:30\n1 Apr 2024', '15:00']],
  ['2024-04-01T12:30:00Z', '2024-04-12T10:00:00Z', 'day', ['1 Apr\n2024', '2 Apr']],
  ['2024-04-03T00:00:00Z', '2024-06-12T10:00:00Z', 'week', ['3 Apr\n2024', '8 Apr']],
  ['2024-01-15T00:00:00Z', '2024-12-01T00:00:00Z', 'month', ['Jan\n2024', 'Feb']],
  ['2022-02-01T00:00:00Z', '2024-12-01T00:00:00Z', 'month', ['Feb\n2022', 'Apr']],
  ['2002-01-01T00:00:00Z', '2024-12-01T00:00:00Z', 'year', ['2002', '2003']],
])('from %s to %s, each bar is a %s, and the labels begin with %j', (from, to, unit, labels) => {
  const bars = cutBars({ from: seconds(from), to: seconds(to) }, 16)

  expect(bars.unit).toBe(unit)
  expect(barLabels(bars.spans, bars.unit).slice(0, 2)).toEqual(labels)
})

test.each([
  ['2024-04-01T00:00:00Z', '2024-04-01T23:59:59Z', '1 Apr 2024'],
  ['2024-04-01T00:00:00Z', '2024-04-30T23:59:59Z', '1 Apr 2024 to 30 Apr 2024'],
  ['2024-04-01T10:00:00Z', '2024-04-01T10:59:59Z', '1 Apr 2024, 10:00 to 1 Apr 2024, 10:59'],
])('the span from %s to %s is shown as %s', (from, to, label) => {
  expect(spanLabel({ from: seconds(from), to: seconds(to) })).toBe(label)
})

test('the day or the year is named again wherever it changes', () => {
  const hours = cutBars({ from: seconds('2024-04-01T21:00:00Z'), to: seconds('2024-04-02T02:00:00Z') }, 16)
  const days = cutBars({ from: seconds('2023-12-30T00:00:00Z'), to: seconds('2024-01-02T12:00:00Z') }, 4)

  expect(barLabels(hours.spans, hours.unit).join()).toBe(
    '21:00\n1 Apr 2024,22:00,23:00,00:00\n2 Apr 2024,01:00,02:00',
  )
  expect(barLabels(days.spans, days.unit)).toEqual(['30 Dec\n2023', '31 Dec', '1 Jan\n2024', '2 Jan'])
})

test.each([
  [[501, 1, 12], true],
  [[501, 0, 400], false],
  [[25, 1], false],
  [[26, 1], true],
  [[0, 0], false],
])('bars of %j need a logarithmic scale: %s', (heights, isFlat) => {
  const bars = heights.map(height => ({ counts: new Map([['Minted' as const, height]]) }))

  expect(isLogarithmic(bars)).toBe(isFlat)
})
