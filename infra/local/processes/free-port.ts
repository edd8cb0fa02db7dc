import { once } from 'node:events'
import { createServer } from 'node:net'
import { listenAt } from './listen-at.ts'

/** A port of this machine that nothing listens on at the moment. */
export const freePort = (): Promise<number> => probe({ port: 0, host: '127.0.0.1' })

/** That port where nothing listens on it at the moment, whatever the address; else a free one. */
export const freePortLike = (port: number): Promise<number> => probe({ port })

async function probe(place: { port: number; host?: string }): Promise<number> {
  const server = createServer()
  const port = await listenAt(server, place)
  server.close()
  await once(server, 'close')
  return port
}
