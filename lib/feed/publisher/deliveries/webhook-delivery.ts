import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Webhook } from 'standardwebhooks'
import { retryAfterMs } from '../../../client/send.ts'
import type { Target } from '../subscription.ts'
import type { Batch, Delivery, Outcome } from './delivery.ts'
import { ensureReachable, hostOf, lookupReachable, type ReachOptions } from './internal-addresses.ts'

export interface WebhookOptions extends ReachOptions {
  /** The time within which an attempt's response headers must arrive. */
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 10_000
/** A connection is closed if the response body is longer than this, because the body is never used. */
const MAX_ANSWER_BYTES = 65_536
const GONE = 410
const ENDED =
  'The receiver answered 410, which ends the subscription. If this was a mistake, start again under another name (in npm run publish, with another --state)'

/** Follows the Standard Webhooks specification (https://www.standardwebhooks.com), and signs with each secret. */
export function openWebhookDelivery(
  { url, secrets }: Extract<Target, { kind: 'webhook' }>,
  { timeoutMs = TIMEOUT_MS, ...reach }: WebhookOptions,
): Delivery {
  const target = new URL(url)
  const protocol = target.protocol === 'http:' ? http : https
  // Connections are not reused, because a receiver may close an idle connection just as a request is sent, and the
  // attempt would fail.
  const agent = new protocol.Agent({ keepAlive: false })
  const signers = secrets.map(secret => new Webhook(secret))

  function post(batch: Batch, signal: AbortSignal): Promise<IncomingMessage> {
    ensureReachable(hostOf(target), reach)
    const headers = headersOf(batch, signers)
    return new Promise((resolve, reject) => {
      const request = protocol.request(target, {
        method: 'POST',
        headers,
        agent,
        lookup: lookupReachable(reach),
        signal,
      })
      // Without this listener, Node.js would emit neither a response nor an error for the status 101.
      request.on('upgrade', (answer, socket) => {
        socket.destroy()
        resolve(answer)
      })
      request.on('response', resolve).on('error', reject).end(batch.body)
    })
  }

  return {
    async deliver(batch, signal) {
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await post(batch, AbortSignal.any([signal, timeout]))
        drain(answer)
        return outcomeOf(answer)
      } catch (error) {
        signal.throwIfAborted()
        const reason = timeout.aborted ? `did not answer within ${timeoutMs / 1000} s` : reasonOf(error)
        return { is: 'failed', reason: `The receiver ${reason}` }
      }
    },
    close: () => agent.destroy(),
  }
}

/** Signs the time of the attempt instead of the batch's time, because receivers reject old signatures. */
function headersOf({ id, body }: Batch, signers: readonly Webhook[]) {
  const now = new Date()
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'blockchain-events-publisher',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signers.map(signer => signer.sign(id, now, body)).join(' '),
  }
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { is: 'accepted' }
  if (statusCode === GONE) return { is: 'gone', reason: ENDED }
  const isRedirect = statusCode >= 300 && statusCode < 400
  const reason = `The receiver answered ${statusCode}${isRedirect ? ', but the publisher follows no redirects' : ''}`
  const { 'retry-after': retryAfter } = headers
  return { is: 'failed', reason, retryAfterMs: retryAfter ? retryAfterMs(retryAfter) : undefined }
}

/** Reads the body to its end, so that the connection closes cleanly. Stops early if the body is too long. */
function drain(answer: IncomingMessage): void {
  let bytes = 0
  answer.on('error', () => undefined)
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) answer.destroy()
  })
}

function reasonOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'InternalAddressError') return `was not contacted: ${message}`
  return `did not answer (${code ?? name})`
}
