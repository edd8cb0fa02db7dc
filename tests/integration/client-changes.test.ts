import { ApiError, CursorExpiredError, createEventsClient } from '../../lib/client/create-events-client.ts'
import { PROBLEMS } from '../../lib/http/problems.ts'
import { listenForChanges, useListening } from '../support/http/listen.ts'
import { hurried, type Reply, useFakeTime, withReplies } from '../support/http/with-replies.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { byId } from '../support/records/by-id.ts'
import { useEngine } from '../support/store/engine.ts'

const { jest } = import.meta
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 4, events: 3 }, 5)

describe('over the service', () => {
  const api = useListening(async () =>
    listenForChanges({ client: engine.reader, tableName: await engine.createEventsTable(RECORDS) }),
  )

  test('a page tells what happened, where to go on, and when', async () => {
    const client = createEventsClient(api.baseUrl)
    const page = await client.changePage({ from: 'beginning', limit: 500, network: ['base', 'polygon'] })
    const last = await client.changePage({ cursor: page.next, network: ['base', 'polygon'] })

    const expected = RECORDS.filter(({ network }) => ['base', 'polygon'].includes(network))
    const added = page.changes.flatMap(each => (each.change === 'added' ? [each.record] : []))
    expect(byId(added)).toEqual(byId(expected))
    expect(page).toMatchObject({ isUpToDate: false, retryAfterMs: 0 })
    expect(last).toMatchObject({ changes: [], isUpToDate: true, retryAfterMs: 5000 })
  })

  test('each change comes with a cursor from which nothing behind it is missed', async () => {
    const client = createEventsClient(api.baseUrl)
    const expected = new Set(RECORDS.map(({ id }) => id))
    const seen = new Set<string>()
    let stored: string | undefined
    /** Stops in the middle of the second page. The next call resumes from the stored cursor. */
    async function takeSix() {
      let taken = 0
      const changes = client.changes({ from: 'beginning', cursor: stored, limit: 4 })
      for await (const { record, cursor } of changes) {
        seen.add(record.id)
        stored = cursor
        taken += 1
        if (taken === 6 || seen.size === expected.size) return
      }
    }
    for (let turn = 0; seen.size < expected.size && turn < RECORDS.length; turn++) await takeSix()

    expect(seen).toEqual(expected)
  })
})

describe('over any service', () => {
  const link = (cursor: string) => ({ Link: `<https://x.example/v1/changes?cursor=${cursor}>; rel="next"` })

  useFakeTime()

  /** Resolves with the page that a client reads from a service that sends only this reply. */
  async function pageBehind(reply: Reply) {
    let page: unknown
    await withReplies([reply], async baseUrl => {
      page = await createEventsClient(baseUrl, { retries: 0 }).changePage()
    })
    return page
  }

  test('who is up to date waits as long as the service says, and asks with the newest cursor', () =>
    withReplies(
      [
        { status: 200, headers: { ...link('a'), 'Retry-After': '7' } },
        { status: 200, headers: { ...link('b'), 'X-Partial': 'true' } },
        { status: 200, headers: link('c') },
        { status: 200, headers: { ...link('d'), 'Retry-After': '1' } },
      ],
      async (baseUrl, times, urls) => {
        const stop = new AbortController()
        async function follow() {
          for await (const { next } of createEventsClient(baseUrl).changePages({}, { signal: stop.signal })) {
            if (next === 'd') stop.abort(new Error('Enough'))
          }
        }

        await expect(hurried(follow())).rejects.toThrow('Enough')
        expect(urls).toEqual(['', '?cursor=a', '?cursor=b', '?cursor=c'].map(query => `/v1/changes${query}`))
        expect(times).toEqual([0, 7000, 7000, 12_000])
      },
    ))

  test.each([
    '<h1>Gone</h1>',
    '{"type":"about:blank","title":"Gone","status":410,"detail":"Gone","instance":"1"}',
    '{"type":"https://gateway.example/docs#gone","detail":"Gone"}',
    '{"type":410}',
    'null',
  ])('410 from something else says nothing about the cursor: %s', async body => {
    const error = (await pageBehind({ status: 410, body }).catch(thrown => thrown)) as ApiError

    expect(error).toBeInstanceOf(ApiError)
    expect(error).not.toBeInstanceOf(CursorExpiredError)
    expect(error.problem).toBeUndefined()
  })

  /** Skips the pauses, and stops at the page with this cursor. */
  async function followUntil(last: string, baseUrl: string) {
    const stop = new AbortController()
    const troubles: Error[] = []
    const client = createEventsClient(baseUrl, { retries: 0 })
    async function follow() {
      const options = { signal: stop.signal, onTrouble: (error: Error) => troubles.push(error) }
      for await (const { next } of client.changePages({}, options)) if (next === last) return
    }
    await hurried(follow())
    return troubles
  }

  test('outages of any form are waited out with growing pauses, each is reported once, and no page is missed', () =>
    withReplies(
      [
        { status: 403, body: '{"message":"Forbidden"}' },
        { status: 410, body: '{"type":"about:blank"}' },
        { status: 200, body: '<h1>Soon back</h1>' },
        { status: 500, body: '{"type":"https://x.example/docs#internal-error","detail":"Failed"}' },
        { status: 200, headers: { ...link('a'), 'X-Partial': 'true' } },
        { status: 400, body: '{"type":"about:blank","errors":[]}' },
        { status: 200, headers: link('b') },
      ],
      async (baseUrl, times, urls) => {
        const troubles = await followUntil('b', baseUrl)
        const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))

        expect(troubles).toMatchObject([{ status: 403 }, { status: 400 }])
        expect(pauses.map(ms => Math.round(Math.log2(ms / 1000)) + 0)).toEqual([0, 1, 2, 3, -Infinity, 0])
        expect(urls.slice(-2)).toEqual(Array(2).fill('/v1/changes?cursor=a'))
      },
    ))

  test('an outage of the server that issues tokens is waited out, too', () =>
    withReplies([{ status: 200, headers: link('a') }], async (baseUrl, _, urls) => {
      const down = new Error('The token server is down')
      const authorize = jest.fn(async () => ({})).mockRejectedValueOnce(down)
      const onTrouble = jest.fn()
      const pages = createEventsClient(baseUrl, { authorize, retries: 0 }).changePages({}, { onTrouble })

      expect(await hurried(pages.next())).toMatchObject({ value: { next: 'a' } })
      expect(onTrouble).toHaveBeenCalledWith(expect.objectContaining({ cause: down }))
      expect(urls).toEqual(['/v1/changes'])
    }))

  test.each(Object.entries(PROBLEMS))(
    'the client knows the problem %s as one of the service',
    async (kind, { status }) => {
      const page = pageBehind({ status, body: `{"type":"https://x.example/docs#${kind}"}` })

      await expect(page).rejects.toMatchObject({ status, problem: { type: expect.anything() } })
    },
  )

  test.each([
    ['invalid-query', 400, 'InvalidParametersError'],
    ['not-found', 404, 'ApiError'],
    ['cursor-expired', 410, 'CursorExpiredError'],
  ])('the problem %s of the service itself ends a follower', (kind, status, name) =>
    withReplies(
      [{ status, body: `{"type":"/stage/docs#${kind}","detail":"No","errors":[]}` }],
      async (baseUrl, times) => {
        await expect(followUntil('x', baseUrl)).rejects.toMatchObject({ status, name })
        expect(times).toHaveLength(1)
      },
    ),
  )

  test.each([
    // If the requested wait is too long for a timer, the pause is as long as a timer can run.
    ['3000000', 2 ** 31 - 1],
    ...['0', '1.5', 'Mon, 01 Jan 1968 00:00:00 GMT', 'soon', 'in 3000'].map(text => [text, 5000] as const),
  ] as const)('with Retry-After %s, the pause takes %i ms', (retryAfter, pauseMs) =>
    withReplies(
      [
        { status: 200, headers: { ...link('a'), 'Retry-After': retryAfter } },
        { status: 200, headers: link('b') },
      ],
      async (baseUrl, times) => {
        await followUntil('b', baseUrl)

        expect(times).toEqual([0, pauseMs])
      },
    ),
  )

  test.each(['/v1/changes?limit=1&cursor=a%2Bb', '?cursor=a%2Bb#end', 'https://x.example:1/?cursor=a%2Bb'])(
    'the cursor is read from any form of Link: %s',
    async target => {
      const page = await pageBehind({ status: 200, headers: { Link: `<${target}>; rel="next"` } })

      expect(page).toMatchObject({ next: 'a+b' })
    },
  )

  test.each([
    ['[{"id":1}]', link('a'), 'has no changes'],
    ['[{"change":"added","record":null}]', link('a'), 'has no changes'],
    ['[]', {}, 'no cursor to continue with'],
  ])('an answer of another server is not a page of changes: %s', async (body, headers, message) => {
    await expect(pageBehind({ status: 200, headers, body })).rejects.toThrow(message)
  })
})
