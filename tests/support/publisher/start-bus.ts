import { text } from 'node:stream/consumers'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { listen } from '../http/listen.ts'

interface BusEvent {
  EventBusName: string
  Source: string
  DetailType: string
  Detail: string
}

/** The part of Amazon EventBridge that receives events, with its limits. It accepts every entry. */
export async function startBus() {
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
    taken.push(...Entries)
    const answers = Entries.map((_, index) => ({ EventId: String(index) }))
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify({ FailedEntryCount: 0, Entries: answers }))
  })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new EventBridgeClient({ region: 'local', endpoint: baseUrl, credentials, maxAttempts: 1 })
  return { baseUrl, taken, client, stop }
}
