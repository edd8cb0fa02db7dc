import { displayProgress } from '../../../lib/kit/progress-display.ts'
import { createReporter } from '../../../lib/kit/reporter.ts'
import { createTimeLeft, durationText } from '../../../lib/kit/time-left.ts'

const { jest } = import.meta

describe('the time left', () => {
  /** How much is done by each second. */
  type Done = Record<number, number>

  /** Returns the time left at each of these seconds, out of `total`. */
  function leftAt(done: Done, total: number) {
    let now = 0
    const timeLeft = createTimeLeft(() => now)
    return Object.entries(done).map(([second, soFar]) => {
      now = Number(second) * 1000
      return timeLeft(soFar, total)
    })
  }
  const steady = [1, 2, 40, 41, 150, 151]
  const doneSteadily = Object.fromEntries(steady.map(second => [second, second]))
  const slower = Array.from({ length: 301 }, (_, second) => (second < 100 ? 10 * second : 900 + second))

  test.each<[string, Done, total: number, left: (number | undefined)[]]>([
    ['is not known before anything was done', { 5: 0 }, 100, [undefined, undefined]],
    ['is right at a constant speed, at any steps', doneSteadily, 1000, steady.map(second => 1000 - second)],
    ['follows a change of speed within a minute or two', slower, 1260, [60]],
    ['grows while nothing is done', { 10: 50, 30: 50 }, 100, [10, 30]],
    ['is not known after a while in which nothing is done', { 10: 50, 300: 50 }, 100, [undefined]],
  ])('%s', (_, done, total, left) => {
    expect(leftAt({ 0: 0, ...done }, total).slice(-left.length)).toEqual(left)
  })

  test.each([
    [0, '0 s'],
    [59.2, '1 min 0 s'],
    [200, '3 min 20 s'],
    [7500, '2 h 5 min'],
  ])('of %s seconds is shown as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })
})

let written: string[]
beforeEach(() => {
  written = []
  jest.useFakeTimers()
  jest.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

function display(format: 'text' | 'json', read = (second: number): [number, number] => [second, 100]) {
  const startedAt = performance.now()
  return displayProgress(createReporter(format), () => {
    const [done, total] = read(Math.round((performance.now() - startedAt) / 1000))
    return { done, total, message: `${done} of ${total}`, fields: { done } }
  })
}

describe('on a terminal', () => {
  const { isTTY } = process.stderr
  beforeEach(() => {
    process.stderr.isTTY = true
  })
  afterEach(() => {
    process.stderr.isTTY = isTTY
  })

  test.each<[string, (second: number) => [done: number, total: number], shown: string]>([
    ['shows the time left', second => [second, 100], '20% | 20 of 100; 1 min 20 s left'],
    ['does not show an unknown time', () => [0, 100], '0% | 0 of 100'],
    ['shows no time after all work', second => [Math.min(second, 10), 10], '100% | 10 of 10'],
  ])('the bar %s', (_, read, shown) => {
    const progress = display('text', read)
    jest.advanceTimersByTime(20_000)
    progress.stop()

    expect(written.findLast(text => text.includes('%'))?.replace(/^.*?(\d+%)/, '$1')).toBe(shown)
  })
})

describe('without a terminal', () => {
  test('a line is printed every ten seconds, until the work ends', () => {
    const progress = display('text')
    jest.advanceTimersByTime(35_000)
    progress.stop()
    jest.advanceTimersByTime(35_000)

    expect(written).toEqual(['10 of 100\n', '20 of 100; 1 min 20 s left\n', '30 of 100; 1 min 10 s left\n'])
  })

  test('a line is JSON if the format is JSON', () => {
    display('json')
    jest.advanceTimersByTime(25_000)

    expect(written.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'progress', level: 'info', done: 10, message: '10 of 100' }),
      expect.objectContaining({ done: 20, secondsLeft: 80, time: expect.any(String) }),
    ])
  })
})
