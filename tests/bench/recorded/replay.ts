/**
 * A proxy process in front of an engine. The proxy forwards each request to the engine the first time, and replays the
 * recorded answer after that. The measured cost of a handler therefore excludes the engine's work.
 */
import { argv, exit } from 'node:process'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../support/http/listen.ts'

const engine = argv[2] ?? ''
const HEADERS = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']
const recorded = new Map<string, Promise<Buffer>>()

const { baseUrl } = await listen(async (request, response) => {
  const body = await buffer(request)
  const key = `${request.headers['x-amz-target']} ${body}`
  const answer = recorded.get(key) ?? ask(request.headers, body)
  recorded.set(key, answer)
  const bytes = await answer
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': bytes.length })
  response.end(bytes)
})

async function ask(headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<Buffer> {
  const answer = await fetch(engine, {
    method: 'POST',
    headers: HEADERS.map((name): [string, string] => [name, String(headers[name])]),
    body: new Uint8Array(body),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`The engine answers ${answer.status}: ${bytes}`)
  return bytes
}

process.once('disconnect', () => exit(0))
process.send?.({ endpoint: baseUrl })
