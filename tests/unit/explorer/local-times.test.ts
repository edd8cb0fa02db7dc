import { readThrough } from '../../../lib/site/explorer/show/describe-finality.ts'
import { readTime, relativeTime, writeTime } from '../../../lib/site/explorer/show/times.ts'

test.each([
  ['2024-04-01', '2024-04-01', ''],
  ['2024-04-01T12:00:00Z', '2024-04-01', '12:00:00'],
  ['2024-04-01T14:00:00+02:00', '2024-04-01', '12:00:00'],
  ['1711972800', '2024-04-01', '12:00:00'],
  ['yesterday', '', ''],
  ['', '', ''],
])('the fields show %s as "%s" and "%s"', (value, date, time) => {
  expect(readTime(value)).toEqual({ date, time })
})

test.each([
  ['2024-04-01', '', '2024-04-01'],
  ['2024-04-01', '12:00', '2024-04-01T12:00:00Z'],
  ['2024-04-01', '12:00:30', '2024-04-01T12:00:30Z'],
  ['', '', ''],
  ['', '12:00', ''],
])('the fields "%s" and "%s" become the parameter "%s"', (date, time, value) => {
  expect(writeTime(date, time)).toBe(value)
})

test.each([
  ['2024-04-01T12:00:00.000Z', '2024-04-01T12:00:20Z', '20 seconds ago'],
  ['2024-04-01T12:00:00.000Z', '2024-04-01T12:00:00Z', '0 seconds ago'],
  ['2024-04-01T12:00:00.000Z', '2024-04-03T13:00:00Z', '2 days ago'],
  ['2024-04-01T12:00:00.000Z', '2026-11-22T00:00:00Z', '2 years ago'],
  ['2024-04-01T12:00:00.000Z', '2024-04-01T11:00:00Z', 'in 1 hour'],
])('%s, seen at %s, was %s', (time, now, words) => {
  expect(relativeTime(time, Date.parse(now))).toBe(words)
})

test('the last block of each network is read from the header', () => {
  expect(readThrough('base=341@2025-08-13T10:20:15Z, bnb-chain=7@2025-08-13T10:20:16Z')).toEqual([
    { network: 'base', blockNumber: '341', timestamp: '2025-08-13T10:20:15Z' },
    { network: 'bnb-chain', blockNumber: '7', timestamp: '2025-08-13T10:20:16Z' },
  ])
  expect(readThrough(undefined)).toEqual([])
})
