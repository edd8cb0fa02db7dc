import { setImmediate } from 'node:timers/promises'
import { listen } from './listen.ts'

const { jest } = import.meta

export type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'none'

/** Replaces the clock with one that advances only in `hurried`. Must be called where jest accepts hooks. */
export function useFakeTime(): void {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'], now: 0 }))
  afterEach(() => jest.useRealTimers())
}

/** Advances the fake time, so that the work's pauses take no real time. */
export async function hurried<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver) {
    await setImmediate()
    jest.advanceTimersToNextTimer()
  }
  return work
}

/** Serves these replies in turn, and then repeats the last one. */
export async function withReplies(
  replies: readonly Reply[],
  run: (baseUrl: string, times: number[], urls: string[]) => Promise<void>,
): Promise<void> {
  const times: number[] = []
  const urls: string[] = []
  const server = await listen(({ url = '' }, response) => {
    const reply = replies[Math.min(times.length, replies.length - 1)] ?? 'none'
    times.push(Date.now())
    urls.push(url)
    if (reply === 'none') return
    const { status, headers, body = status === 200 ? '[]' : '{"message":"no"}' } = reply
    response.writeHead(status, headers).end(body)
  })
  await run(server.baseUrl, times, urls).finally(() => server.stop())
}
