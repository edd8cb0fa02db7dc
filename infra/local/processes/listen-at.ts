import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Why a port can't be listened on, where another one can. */
const TAKEN = ['EADDRINUSE', 'EACCES']

interface Place {
  /** 0 is any free one. */
  port: number
  /** By default all addresses of this machine. */
  host?: string
}

/** Has a server listen on a port, or on a free one where that is taken. Resolves with the port. */
export async function listenAt(server: Server, { port, ...host }: Place): Promise<number> {
  try {
    await once(server.listen({ port, ...host }), 'listening')
  } catch (error) {
    if (port === 0 || !TAKEN.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    await once(server.listen({ port: 0, ...host }), 'listening')
  }
  return (server.address() as AddressInfo).port
}
