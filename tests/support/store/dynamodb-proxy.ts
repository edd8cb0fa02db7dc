import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** An item as it travels: `{ "list": { "S": "…" }, … }`. */
type WireItem = Record<string, { S?: string; N?: string; B?: string }>

/** One BatchWriteItem that arrived. */
export interface ArrivedBatch {
  bytes: number
  items: WireItem[]
}

/**
 * What goes wrong with a batch. `unprocessed`: that many of its items are not stored, and DynamoDB says
 * which. `lost`: all is stored, but the connection breaks before the answer.
 */
export type Fault = 'throttled' | 'server-error' | 'reset' | 'lost' | { unprocessed: number }

export interface DynamoDbProxy {
  endpoint: string
  batches: ArrivedBatch[]
  stop(): Promise<void>
}

/**
 * Stands between a client and an engine. Every batch of writes is noted, and meets the fault that
 * `faultOf` names for it; everything else passes through.
 */
export async function startDynamoDbProxy(
  target: string,
  faultOf: (batch: ArrivedBatch, index: number) => Fault | undefined = () => undefined,
): Promise<DynamoDbProxy> {
  const batches: ArrivedBatch[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (!String(request.headers['x-amz-target']).endsWith('BatchWriteItem')) {
      return forward(target, { request, body, response })
    }
    const { RequestItems } = JSON.parse(body.toString()) as WriteRequest
    const items = Object.values(RequestItems).flatMap(puts => puts.map(({ PutRequest }) => PutRequest.Item))
    const batch = { bytes: body.length, items }
    batches.push(batch)
    const fault = faultOf(batch, batches.length - 1)
    return meetFault(target, { request, body, response }, fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface WriteRequest {
  RequestItems: Record<string, { PutRequest: { Item: WireItem } }[]>
}

interface Exchange {
  request: IncomingMessage
  body: Buffer
  response: ServerResponse
}

async function meetFault(target: string, exchange: Exchange, fault: Fault | undefined) {
  const { request, response } = exchange
  if (fault === undefined) return forward(target, exchange)
  if (fault === 'reset') return request.socket.destroy()
  if (fault === 'lost') {
    await send(target, exchange)
    return request.socket.destroy()
  }
  if (fault === 'server-error') return fail(response, 500, 'InternalServerError')
  if (fault === 'throttled') return fail(response, 400, 'ProvisionedThroughputExceededException')
  return processPartly(target, exchange, fault.unprocessed)
}

async function processPartly(target: string, exchange: Exchange, count: number) {
  const { RequestItems, ...rest } = JSON.parse(exchange.body.toString()) as WriteRequest
  const [tableName = '', puts = []] = Object.entries(RequestItems)[0] ?? []
  const unprocessed = { UnprocessedItems: { [tableName]: puts.slice(0, count) } }
  const stored = puts.slice(count)
  const body = Buffer.from(JSON.stringify({ ...rest, RequestItems: { [tableName]: stored } }))
  const answer: object = stored.length === 0 ? {} : await jsonOf(await send(target, { ...exchange, body }))
  answerWith(exchange.response, 200, { ...answer, ...unprocessed })
}

async function forward(target: string, exchange: Exchange) {
  const answer = await send(target, exchange)
  answerWith(exchange.response, answer.status, await jsonOf(answer))
}

const send = (target: string, { request, body }: Exchange) =>
  fetch(target, {
    method: 'POST',
    headers: {
      'content-type': String(request.headers['content-type']),
      'x-amz-target': String(request.headers['x-amz-target']),
      'x-amz-date': String(request.headers['x-amz-date']),
      authorization: String(request.headers.authorization),
    },
    body: new Uint8Array(body),
  })

const jsonOf = async (answer: Response) => (await answer.json()) as object

const fail = (response: ServerResponse, status: number, name: string) =>
  answerWith(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'as arranged' })

const answerWith = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
