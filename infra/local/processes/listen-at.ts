import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The errors that concern a single port: it is in use, or this user has no right to use it. */
const TAKEN = ['EADDRINUSE', 'EACCES']

interface Place {
  /** 0 means any free port. */
  port: number
  /** The address to listen on. If undefined, all addresses of this machine. */
  host?: string
}

/** Listens on a free port if the given port is in use. Resolves with the port. */
export async function listenAt(server: Server, { port, ...host }: Place): Promise<number> {
  try {
    await once(server.listen({ port, ...host }), 'listening')
  } catch (error) {
    if (port === 0 || !TAKEN.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    await once(server.listen({ port: 0, ...host }), 'listening')
  }
  return (server.address() as AddressInfo).port
}

/** Resolves with the given port if nothing listens on it at any address, and otherwise with a free port. */
export async function freePort(port = 0): Promise<number> {
  const server = createServer()
  const free = await listenAt(server, { port })
  server.close()
  await once(server, 'close')
  return free
}
