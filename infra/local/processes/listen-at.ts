import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The codes of errors that might not occur on another port: the port is in use, or not permitted. */
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

export const freePort = (): Promise<number> => probe({ port: 0, host: '127.0.0.1' })

/** Resolves with the given port if nothing listens on it at any address, and otherwise with a free port. */
export const freePortLike = (port: number): Promise<number> => probe({ port })

async function probe(place: { port: number; host?: string }): Promise<number> {
  const server = createServer()
  const port = await listenAt(server, place)
  server.close()
  await once(server, 'close')
  return port
}
