import { once } from 'node:events'
import { createServer } from 'node:net'

/** Throws with one line when nothing can listen on that port of this machine. */
export async function checkPort(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(reasonOf(error, port), { cause: error })
  }
  server.close()
  await once(server, 'close')
}

function reasonOf(error: unknown, port: number): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use; choose another one with --port`
    case 'EACCES':
      return `Port ${port} may not be used by this account; choose one above 1023 with --port`
    default:
      return `Port ${port} can't be used: ${(error as Error).message}`
  }
}
