import { text } from 'node:stream/consumers'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { listen } from '../http/listen.ts'

export interface BusEvent {
  EventBusName: string
  Source: string
  DetailType: string
  Detail: string
}

/** `takes` if the bus accepts the entry, otherwise the error code with which the bus rejects the entry. */
export type Verdict = 'takes' | 'InternalFailure' | 'ThrottlingException'

/** The part of Amazon EventBridge that receives events, with its limits. Each entry is judged separately. */
export async function startBus({ judge = () => 'takes' }: { judge?: (event: BusEvent) => Verdict } = {}) {
  const taken: BusEvent[] = []
  const { baseUrl, stop } = await listen(async (request, response) => {
    const body = await text(request)
    // If a client is killed while it sends a request, the request arrives without a body.
    if (body === '') {
      response.writeHead(400).end()
      return
    }
    const { Entries } = JSON.parse(body) as { Entries: BusEvent[] }
    const bytes = Entries.map(
      ({ Source, DetailType, Detail }) => 14 + Buffer.byteLength(Source + DetailType + Detail),
    )
    if (Entries.length > 10 || bytes.reduce((sum, each) => sum + each, 0) > 262_144) {
      response.writeHead(413).end(JSON.stringify({ __type: 'ValidationException', message: 'Too large' }))
      return
    }
    const answers = Entries.map((event, index) => {
      const verdict = judge(event)
      if (verdict !== 'takes') return { ErrorCode: verdict, ErrorMessage: 'Not taken' }
      taken.push(event)
      return { EventId: String(index) }
    })
    const FailedEntryCount = answers.filter(answer => 'ErrorCode' in answer).length
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify({ FailedEntryCount, Entries: answers }))
  })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new EventBridgeClient({ region: 'local', endpoint: baseUrl, credentials, maxAttempts: 1 })
  return { baseUrl, taken, client, stop }
}
