import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Change } from '../../../lib/feed/turn.ts'
import { listen } from '../http/listen.ts'

export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ok!').toString('base64')}`

export type Reaction =
  | 'accepts'
  /** The receiver applies the batch, but its response is lost. */
  | 'accepts, and resets'
  | 'resets'
  | 'hangs'
  | { status: number; headers?: Record<string, string> }

interface Delivered {
  id: string
  body: string
  headers: Record<string, string>
  changes: Change[]
}

export interface Receiver {
  url: string
  /** All deliveries in the order of arrival, including repeated batches. */
  deliveries: Delivered[]
  /**
   * The records of a consumer that applies batches in order and ignores repeated ids. Throws if a delivery has violated
   * one of the publisher's guarantees.
   */
  records(): EventRecord[]
  react: (delivered: Delivered) => Reaction
  stop(): Promise<void>
}

/**
 * Checks signatures and the publisher's guarantees: a repeated id must have the same body, and a new id may arrive only
 * after the previous batch was accepted. `records` throws if a check has failed.
 */
export async function startReceiver(options: Partial<Pick<Receiver, 'react'>> = {}): Promise<Receiver> {
  const webhook = new Webhook(SECRET)
  const copy = new Map<string, EventRecord>()
  const bodies = new Map<string, string>()
  const wrong: unknown[] = []
  let last: { id: string; isAccepted: boolean } | undefined

  function arrive({ id, body, changes }: Delivered): boolean {
    const known = bodies.get(id)
    if (known !== undefined && known !== body) wrong.push(`${id} came with another body`)
    if (last && last.id !== id && !last.isAccepted) wrong.push(`${id} came before ${last.id} was accepted`)
    if (known !== undefined && last?.id !== id) wrong.push(`${id} came again behind ${last?.id}`)
    if (changes.length < 1 || changes.length > 100) wrong.push(`${id} has ${changes.length} changes`)
    if (last?.id !== id) last = { id, isAccepted: false }
    return known === undefined
  }

  function apply({ id, body, changes }: Delivered) {
    bodies.set(id, body)
    for (const each of changes) {
      if (each.change === 'added') copy.set(each.record.id, each.record)
      else copy.delete(each.record.id)
    }
  }

  const receiver: Omit<Receiver, 'url' | 'stop'> = {
    deliveries: [],
    react: options.react ?? (() => 'accepts'),
    records() {
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
      return [...copy.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    },
  }
  const { baseUrl, stop } = await listen(async (request, response) => {
    try {
      const body = await text(request)
      const headers = request.headers as Record<string, string>
      const { data } = webhook.verify(body, headers) as { data: Pick<Delivered, 'changes'> }
      const delivered: Delivered = { id: String(headers['webhook-id']), body, headers, ...data }
      receiver.deliveries.push(delivered)
      const isNew = arrive(delivered)
      const reaction = receiver.react(delivered)
      const isApplied = reaction === 'accepts' || reaction === 'accepts, and resets'
      if (isApplied && isNew) apply(delivered)
      if (reaction === 'accepts' && last) last.isAccepted = true
      answer(response, reaction)
    } catch (error) {
      // Only a wrong signature is a violation. Another error may come from the aborted request of a killed publisher.
      if ((error as Error).name === 'WebhookVerificationError') wrong.push(error)
      response.destroy()
    }
  })
  return Object.assign(receiver, { url: `${baseUrl}/hook`, stop })
}

function answer(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'hangs') return
  if (reaction === 'accepts') response.writeHead(204).end()
  else if (typeof reaction === 'object') response.writeHead(reaction.status, reaction.headers).end()
  else response.destroy()
}
