import { displayProgress } from '../../../lib/kit/progress-display.ts'
import { createReporter } from '../../../lib/kit/reporter.ts'
import { createTimeLeft, durationText } from '../../../lib/kit/time-left.ts'

const { jest } = import.meta

describe('the time left', () => {
  test('is not known before anything was done', () => {
    let now = 0
    const timeLeft = createTimeLeft(() => now)
    expect(timeLeft(0, 100)).toBeUndefined()
    now = 5000
    expect(timeLeft(0, 100)).toBeUndefined()
  })

  test('is right at a constant speed, whatever the size of the steps', () => {
    let now = 0
    const timeLeft = createTimeLeft(() => now)
    timeLeft(0, 1000)
    for (const seconds of [1, 2, 40, 41, 150, 151]) {
      now = seconds * 1000
      expect(timeLeft(seconds, 1000)).toBeCloseTo(1000 - seconds)
    }
  })

  test('follows a change of speed within a minute or two', () => {
    let now = 0
    const timeLeft = createTimeLeft(() => now)
    let done = 0
    for (let second = 0; second <= 300; second++) {
      now = second * 1000
      done += second < 100 ? 10 : 1
      timeLeft(done, 10_000)
    }
    expect(timeLeft(done, done + 60)).toBeCloseTo(60)
  })

  test('grows while nothing is done, and is not known after a while', () => {
    let now = 0
    const timeLeft = createTimeLeft(() => now)
    timeLeft(0, 100)
    now = 10_000
    expect(timeLeft(50, 100)).toBe(10)
    now = 30_000
    expect(timeLeft(50, 100)).toBe(30)
    now = 300_000
    expect(timeLeft(50, 100)).toBeUndefined()
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

describe('on a terminal', () => {
  const bars: string[] = []
  const { isTTY } = process.stderr
  beforeEach(() => {
    bars.length = 0
    jest.useFakeTimers()
    process.stderr.isTTY = true
    jest.spyOn(process.stderr, 'write').mockImplementation(text => bars.push(String(text)) > 0)
  })
  afterEach(() => {
    process.stderr.isTTY = isTTY
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  function shownAfter(seconds: number, read: (second: number) => { done: number; total: number }) {
    const startedAt = performance.now()
    const progress = displayProgress(createReporter(), () => {
      const { done, total } = read(Math.round((performance.now() - startedAt) / 1000))
      return { done, total, message: `${done} of ${total}`, fields: {} }
    })
    jest.advanceTimersByTime(seconds * 1000)
    progress.stop()
    return bars.findLast(text => text.includes('%'))?.replace(/^.*?(\d+%)/, '$1')
  }

  test('the bar shows the time left', () => {
    expect(shownAfter(20, second => ({ done: second, total: 100 }))).toBe('20% | 20 of 100; 1 min 20 s left')
  })

  test('the bar shows no time left if it is unknown, or if all work is done', () => {
    expect(shownAfter(20, () => ({ done: 0, total: 100 }))).toBe('0% | 0 of 100')
    expect(shownAfter(20, second => ({ done: Math.min(second, 10), total: 10 }))).toBe('100% | 10 of 10')
  })
})

describe('without a terminal', () => {
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

  function display(format: 'text' | 'json') {
    const startedAt = performance.now()
    return displayProgress(createReporter(format), () => {
      const done = Math.round((performance.now() - startedAt) / 1000)
      return { done, total: 100, message: `${done} of 100`, fields: { done } }
    })
  }

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
