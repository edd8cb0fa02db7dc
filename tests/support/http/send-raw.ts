import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

interface RawAnswer {
  /** 0 if the connection closed without a status. */
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: string
}

/** Sends exactly these bytes, even if they are invalid, and reads the whole answer. */
export async function sendRaw(baseUrl: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(request)
  const answer = await text(socket).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return 'HTTP/1.1 000'
    throw error
  })
  const [head = '', ...body] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]),
    headers: Object.fromEntries(
      lines.map(line => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
    ),
    body: body.join('\r\n\r\n'),
  }
}

/** The request has no body, and asks the server to close the connection. */
export function rawRequest({ method = 'GET', target, headers = {} }: RawRequest): Buffer {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers })
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
}

interface RawRequest {
  method?: string | undefined
  target: string
  headers?: Record<string, string> | undefined
}
