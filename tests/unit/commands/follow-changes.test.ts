import { CopyUnavailableError } from '../../../lib/callers/copies/copy-database.ts'
import { followChanges, openWhenReachable } from '../../../lib/callers/copies/follow/follow-changes.ts'
import { reportTrouble } from '../../../lib/callers/copies/follow/report-copy.ts'
import type { EventCopy } from '../../../lib/callers/copies/open-copy.ts'
import {
  type ApiProblem,
  createEventsClient,
  UnavailableError,
} from '../../../lib/client/create-events-client.ts'
import type { Report, Reporter } from '../../../lib/kit/reporter.ts'
import { hurried, useFakeTime } from '../../support/http/with-replies.ts'

const EXPIRED = JSON.stringify({ type: 'https://x.example/docs#cursor-expired', detail: 'No', errors: [] })

useFakeTime()

/**
 * Follows changes into a copy with these methods for an hour of fake time. Returns the error that ended the run, and
 * the names of all reported troubles.
 */
async function followInto(copy: Partial<EventCopy>, answer: () => Response) {
  const controller = new AbortController()
  const troubles: string[] = []
  setTimeout(() => controller.abort(new Error('an hour has passed')), 3_600_000)
  const run = followChanges({
    client: createEventsClient('http://service.example', { retries: 0, fetch: async () => answer() }),
    copy: { cursor: async () => undefined, apply: async () => undefined, ...copy } as EventCopy,
    query: {},
    once: false,
    signal: controller.signal,
    onTrouble: ({ name }) => troubles.push(name),
  })
  return { error: await hurried(run.catch(error => error)), troubles }
}

const expired = () => new Response(EXPIRED, { status: 410 })

test('a follower pauses before it empties a copy that expires again and again', async () => {
  let emptied = 0
  const empty = async () => {
    emptied += 1
  }
  const { troubles } = await followInto({ empty }, expired)

  expect(troubles).toEqual(['CursorExpiredError'])
  // From the tenth pause on, each pause lasts about five minutes, so about twelve more fit into the hour.
  expect(emptied).toBeLessThan(25)
})

test('a follower ends if it cannot empty a copy that is too old', async () => {
  const empty = () => Promise.reject(new Error('another process'))
  const { error } = await followInto({ empty }, expired)

  expect(error).toEqual(new Error('another process'))
})

test('a follower waits for a database that is unreachable at the start', async () => {
  const troubles: Error[] = []
  const patience = { waitOut: async (error: Error) => void troubles.push(error), recover: () => undefined }
  const copy = {} as EventCopy
  const opened = await openWhenReachable(async () => {
    if (troubles.length < 3) throw new CopyUnavailableError({ database: 'copy', cause: new Error('busy') })
    return copy
  }, patience)

  expect(opened).toBe(copy)
  expect(troubles).toHaveLength(3)
  const refused = openWhenReachable(() => Promise.reject(new Error('another process')), patience)
  await expect(refused).rejects.toThrow('another process')
})

test('the report of an outage continues the sentence of the service', () => {
  const told: Report[] = []
  const reporter = { tell: (report: Report) => void told.push(report) } as Reporter
  reportTrouble(new UnavailableError(503, { detail: 'Try again shortly.' } as ApiProblem), reporter)

  expect(told).toMatchObject([
    { message: expect.stringMatching(/^503: Try again shortly; the command keeps/) },
  ])
})
