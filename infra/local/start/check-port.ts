import { once } from 'node:events'
import { createServer } from 'node:net'

/** Throws an error of one line if a port of this machine is in use. The line has the option that sets another port. */
export async function checkPort(port: number, option: string): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(reasonOf(error, { port, option }), { cause: error })
  }
  server.close()
  await once(server, 'close')
}

export const portTaken = (port: number, option: string) =>
  `Port ${port} is in use; choose another one with ${option}`

function reasonOf(error: unknown, { port, option }: { port: number; option: string }): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return portTaken(port, option)
    case 'EACCES':
      return `Port ${port} may not be used by this account; choose one above 1023 with ${option}`
    default:
      return `Port ${port} can't be used: ${(error as Error).message}`
  }
}
