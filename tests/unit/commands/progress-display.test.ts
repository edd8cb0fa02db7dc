import { displayProgress } from '../../../lib/kit/progress-display.ts'
import { createReporter } from '../../../lib/kit/reporter.ts'
import { createTimeLeft, durationText } from '../../../lib/kit/time-left.ts'

const { jest } = import.meta

describe('the time left', () => {
  function setup() {
    let now = 0
    const timeLeft = createTimeLeft(() => now)
    return (second: number, done: number, total = 100) => {
      now = second * 1000
      return timeLeft(done, total)
    }
  }

  test('is not known before anything was done', () => {
    const leftAt = setup()
    expect([leftAt(0, 0), leftAt(5, 0)]).toEqual([undefined, undefined])
  })

  test('is right at a constant speed, whatever the size of the steps', () => {
    const leftAt = setup()
    leftAt(0, 0, 1000)
    for (const seconds of [1, 2, 40, 41, 150, 151]) {
      expect(leftAt(seconds, seconds, 1000)).toBeCloseTo(1000 - seconds)
    }
  })

  test('follows a change of speed within a minute or two', () => {
    const leftAt = setup()
    let done = 0
    for (let second = 0; second <= 300; second++) {
      done += second < 100 ? 10 : 1
      leftAt(second, done, 10_000)
    }
    expect(leftAt(300, done, done + 60)).toBeCloseTo(60)
  })

  test('grows while nothing is done, and is not known after a while', () => {
    const leftAt = setup()
    leftAt(0, 0)
    expect([leftAt(10, 50), leftAt(30, 50), leftAt(300, 50)]).toEqual([10, 30, undefined])
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

describe('on a terminal', () => {
  const { isTTY } = process.stderr
  beforeEach(() => {
    process.stderr.isTTY = true
  })
  afterEach(() => {
    process.stderr.isTTY = isTTY
  })

  function shownAfter(seconds: number, read: (second: number) => { done: number; total: number }) {
    const startedAt = performance.now()
    const progress = displayProgress(createReporter(), () => {
      const { done, total } = read(Math.round((performance.now() - startedAt) / 1000))
      return { done, total, message: `${done} of ${total}`, fields: {} }
    })
    jest.advanceTimersByTime(seconds * 1000)
    progress.stop()
    return written.findLast(text => text.includes('%'))?.replace(/^.*?(\d+%)/, '$1')
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
