import { EventEmitter } from 'node:events'
import { Webhook } from 'standardwebhooks'
import type { Change } from '../../../lib/client/changes.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Gate } from '../gate/gate.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A receiver of webhooks that applies every change that it accepts, in the order of arrival. */
export interface SimReceiver {
  url: string
  copy: ReadonlyMap<string, EventRecord>
  /** The bodies of the batches by their ids. */
  batches: ReadonlyMap<string, string>
  /** The ids of removed events. */
  removed: readonly string[]
  /** What was wrong with the requests. */
  complaints: readonly string[]
  /** Takes a request as `http.request` does. */
  request(options: { headers: Record<string, string>; signal?: AbortSignal }): EventEmitter
}

const PATIENCE_MS = 20_000
/** The documented answers of receivers that do not accept. */
const REFUSALS = [
  { statusCode: 500, headers: {} },
  { statusCode: 503, headers: { 'retry-after': '7' } },
  { statusCode: 302, headers: { location: 'https://elsewhere.world/' } },
  { statusCode: 429, headers: { 'retry-after': '0' } },
  { statusCode: 101, headers: {} },
]

class Refused extends Error {
  readonly answer: (typeof REFUSALS)[number]
  constructor(answer: (typeof REFUSALS)[number]) {
    super(String(answer.statusCode))
    this.answer = answer
  }
}

export function createSimReceiver(name: string, { gate }: { gate: Gate }): SimReceiver {
  const copy = new Map<string, EventRecord>()
  const batches = new Map<string, string>()
  const removed: string[] = []
  const complaints: string[] = []
  const signature = new Webhook(SECRET)

  function take(headers: Record<string, string>, body: string) {
    const id = headers['webhook-id'] ?? ''
    const known = batches.get(id)
    if (known !== undefined && known !== body) complaints.push(`The batch ${id} came with two bodies`)
    batches.set(id, body)
    try {
      signature.verify(body, headers)
    } catch (error) {
      complaints.push(`The signature of ${id} is wrong: ${(error as Error).message}`)
    }
    const { changes } = JSON.parse(body).data as { changes: Change[] }
    for (const { change, record } of changes) {
      if (change === 'added') copy.set(record.id, record as unknown as EventRecord)
      else {
        copy.delete(record.id)
        removed.push(record.id)
      }
    }
  }

  return {
    url: `https://${name}/`,
    copy,
    batches,
    removed,
    complaints,
    request({ headers, signal }) {
      const request = new EventEmitter()
      const end = (body: string) => {
        gate
          .pass({
            title: `POST ${name} ${headers['webhook-id']?.slice(0, 8)}`,
            patienceMs: PATIENCE_MS,
            take: () => take(headers, body),
            refusals: REFUSALS.map(answer => () => new Refused(answer)),
            lost: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
            timedOut: () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }),
            ...(signal && { signal }),
          })
          .then(
            () => request.emit('response', answerOf({ statusCode: 204, headers: {} })),
            error => {
              if (!(error instanceof Refused)) request.emit('error', error)
              else if (error.answer.statusCode === 101)
                request.emit('upgrade', answerOf(error.answer), { destroy: () => undefined })
              else request.emit('response', answerOf(error.answer))
            },
          )
        return request
      }
      return Object.assign(request, { end })
    },
  }
}

const answerOf = (answer: object) => Object.assign(new EventEmitter(), answer, { destroy: () => undefined })
