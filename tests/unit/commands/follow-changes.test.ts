import { followChanges } from '../../../lib/callers/copies/follow/follow-changes.ts'
import type { EventCopy } from '../../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'

/** Follows a service whose every answer has this status, until the first trouble. */
async function follow(status: number, { once }: { once: boolean }) {
  const controller = new AbortController()
  const troubles: Error[] = []
  const client = createEventsClient('http://service.example', {
    retries: 0,
    fetch: async () => new Response('{}', { status }),
  })
  const run = followChanges({
    client,
    copy: { cursor: async () => undefined } as EventCopy,
    query: {},
    once,
    signal: controller.signal,
    onTrouble: error => {
      troubles.push(error)
      controller.abort(new Error('seen'))
    },
  })
  const error = await run.catch(error => error)
  return { error, troubles }
}

test.each([500, 502, 503, 429])('a follower waits while the service answers %d', async status => {
  const { error, troubles } = await follow(status, { once: false })

  expect(troubles).toMatchObject([{ status }])
  expect(error).toMatchObject({ name: 'AbortError' })
})

test.each([
  [500, true],
  [400, false],
  [403, false],
])('after the answer %d with once: %p, a follower ends with the error', async (status, once) => {
  const { error, troubles } = await follow(status, { once })

  expect(troubles).toEqual([])
  expect(error).toMatchObject({ status })
})
