import { EventEmitter } from 'node:events'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { Webhook } from 'standardwebhooks'
import type { Change } from '../../../../lib/client/changes.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { refusal } from '../../dynamo/dynamo-error.ts'
import { createMemoryRequestHandler } from '../../dynamo/memory-request-handler.ts'
import { PLAIN_CONFIG } from '../../outside/plain-config.ts'
import type { World } from '../../world.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Applies the changes that it accepts, in the order of arrival, and skips a batch that it has already applied. */
export interface SimReceiver {
  url: string
  copy: ReadonlyMap<string, EventRecord>
  /** If set, the receiver refuses everything. */
  isDown: boolean
  complaints: readonly string[]
  connectBus(): EventBridgeClient
}

const PATIENCE_MS = 20_000
const BUS_PATIENCE_MS = 5000
/** The documented responses of receivers that do not accept a batch. */
const REFUSALS = [
  { statusCode: 500, headers: {} },
  { statusCode: 503, headers: { 'retry-after': '7' } },
  { statusCode: 302, headers: { location: 'https://elsewhere.world/' } },
  { statusCode: 429, headers: { 'retry-after': '0' } },
  { statusCode: 101, headers: {} },
]

/** The receiver refuses messages older than this: less than the usual five minutes, because clocks differ. */
const OLDEST_MESSAGE_MS = 240_000

interface Sent {
  headers: Record<string, string>
  signal?: AbortSignal
}

const refused = (answer: (typeof REFUSALS)[number]) => Object.assign(new Error('Refused'), { answer })

export function createSimReceiver(name: string, { gate, hosts }: Pick<World, 'gate' | 'hosts'>): SimReceiver {
  const copy = new Map<string, EventRecord>()
  const batches = new Map<string, string>()
  const complaints: string[] = []
  /** For each event, the number of the newest change that came over the bus. */
  const numbers = new Map<string, number>()
  const signature = new Webhook(SECRET)

  function take(headers: Record<string, string>, body: string) {
    // Refuses old messages as real receivers do, because a request may be in flight while all machines sleep.
    const ageMs = gate.now() - 1000 * Number(headers['webhook-timestamp'])
    if (ageMs > OLDEST_MESSAGE_MS) throw refused({ statusCode: 400, headers: {} })
    const id = headers['webhook-id'] ?? ''
    const known = batches.get(id)
    if (known !== undefined && known !== body) complaints.push(`The batch ${id} came with two bodies`)
    batches.set(id, body)
    try {
      signature.verify(body, headers)
    } catch (error) {
      complaints.push(`The signature of ${id} is wrong: ${(error as Error).message}`)
    }
    // A request that the publisher gave up on may arrive after a later batch.
    if (known !== undefined) return
    const { changes } = JSON.parse(body).data as { changes: Change[] }
    for (const each of changes) apply(each)
  }

  function apply({ change, record }: Change) {
    if (change === 'added') copy.set(record.id, record as unknown as EventRecord)
    else copy.delete(record.id)
  }

  /** Accepts or refuses each entry separately. An entry that arrives again changes nothing. */
  function takeEntries({ Entries }: { Entries: { Detail: string }[] }) {
    const answers = Entries.map(({ Detail }, index) => {
      if (receiver.isDown || gate.random.chance(gate.faults.refused)) return { ErrorCode: 'InternalFailure' }
      const { number, ...change } = JSON.parse(Detail) as Change & { number: number }
      const { id } = change.record
      if (number >= (numbers.get(id) ?? 0)) apply(change)
      numbers.set(id, Math.max(number, numbers.get(id) ?? 0))
      return { EventId: String(index) }
    })
    return { FailedEntryCount: answers.filter(each => 'ErrorCode' in each).length, Entries: answers }
  }

  function request({ headers, signal }: Sent): EventEmitter {
    const sent = new EventEmitter()
    const end = (body: string) => {
      gate
        .pass({
          title: `POST ${name} ${headers['webhook-id']?.slice(0, 8)}`,
          patienceMs: PATIENCE_MS,
          take() {
            if (receiver.isDown) throw refused(gate.random.pick(REFUSALS))
            take(headers, body)
          },
          refusals: REFUSALS.map(answer => () => refused(answer)),
          lost: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
          timedOut: () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }),
          signal,
        })
        .then(
          () => sent.emit('response', answerOf({ statusCode: 204, headers: {} })),
          (error: Error | ReturnType<typeof refused>) => {
            if (!('answer' in error)) sent.emit('error', error)
            else if (error.answer.statusCode === 101)
              sent.emit('upgrade', answerOf(error.answer), { destroy: () => undefined })
            else sent.emit('response', answerOf(error.answer))
          },
        )
      return sent
    }
    return Object.assign(sent, { end })
  }

  const receiver: SimReceiver = {
    url: `https://${name}/`,
    copy,
    isDown: false,
    complaints,
    connectBus: () =>
      new EventBridgeClient({
        ...PLAIN_CONFIG,
        requestHandler: createMemoryRequestHandler({
          execute: (operation, input) =>
            gate.pass({
              title: `${operation} ${name}`,
              patienceMs: BUS_PATIENCE_MS,
              take: () => takeEntries(input as Parameters<typeof takeEntries>[0]),
              refusals: [() => refusal('ThrottlingException'), () => refusal('ServiceUnavailable')],
              lost: () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
              timedOut: () => Object.assign(new Error('No answer in time'), { name: 'TimeoutError' }),
            }),
        }),
      } as object),
  }
  hosts.set(receiver.url, request)
  return receiver
}

const answerOf = (answer: object) => Object.assign(new EventEmitter(), answer, { destroy: () => undefined })
