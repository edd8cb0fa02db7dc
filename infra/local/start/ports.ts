import { once } from 'node:events'
import { createServer } from 'node:net'

export interface GivenPorts {
  port: number
  dynamodbPort?: number
  lambdaPort?: number
}

export interface WantedPort {
  name: string
  option: string
  /** 0 means any free port. */
  port: number
  /** Whether the command line sets the port. If so, the port is never replaced by a free port. */
  isNamed: boolean
}

/**
 * From this number upward, Linux may assign ports to other processes, so a default port in that range might be in use.
 */
const FIRST_EPHEMERAL_PORT = 32_768

/** Added to the API's port 3000, this gives 8545, the usual port of nodes. */
export const NODE_ABOVE = 5545

/** Returns `port + above`, or 0 (any free port) if Linux might assign that port to another process. */
export const portAbove = (port: number, above: number): number =>
  port + above < FIRST_EPHEMERAL_PORT ? port + above : 0

/**
 * If the API uses port 3000, DynamoDB gets port 8000 (DynamoDB Local's default), and Lambda gets port 9000 (as in AWS's
 * Lambda runtime emulator). If the user has given one of these ports to another part, a free port is used instead.
 */
export function wantedPorts({ port: apiPort, dynamodbPort, lambdaPort }: GivenPorts) {
  const wanted = (part: { name: string; option: string }, named: number | undefined, above: number) => {
    const own = portAbove(apiPort, above)
    const port = named ?? ([dynamodbPort, lambdaPort].includes(own) ? 0 : own)
    return { ...part, port, isNamed: named !== undefined }
  }
  return {
    dynamodbPort: wanted({ name: 'DynamoDB', option: '--dynamodb-port' }, dynamodbPort, 5000),
    lambdaPort: wanted({ name: 'Lambda', option: '--lambda-port' }, lambdaPort, 6000),
  }
}

/** Undefined if all given ports differ. */
export function portNamedTwice({ port, dynamodbPort, lambdaPort }: GivenPorts): string | undefined {
  const pairs = [
    ['--port', port, '--dynamodb-port', dynamodbPort],
    ['--port', port, '--lambda-port', lambdaPort],
    ['--dynamodb-port', dynamodbPort, '--lambda-port', lambdaPort],
  ] as const
  const found = pairs.find(([, one, , other]) => one !== undefined && one === other)
  return found && `${found[0]} and ${found[2]} are both ${found[1]}, but must differ`
}

/** Throws a one-line error, for example if the port is in use. */
export async function checkPort({ port, option }: Pick<WantedPort, 'port' | 'option'>): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(reasonOf(error as NodeJS.ErrnoException, { port, option }), { cause: error })
  }
  server.close()
  await once(server, 'close')
}

const portTaken = ({ port, option }: Pick<WantedPort, 'port' | 'option'>) =>
  `Port ${port} is in use; choose another one with ${option}`

function reasonOf({ code, message }: NodeJS.ErrnoException, wanted: Pick<WantedPort, 'port' | 'option'>) {
  const { port, option } = wanted
  if (code === 'EADDRINUSE') return portTaken(wanted)
  if (code !== 'EACCES') return `Port ${port} can't be used: ${message}`
  return `You do not have permission to use port ${port}; choose one above 1023 with ${option}`
}

/** Returns a line for the banner if a default port was in use. Throws a one-line error if a given port is in use. */
export function explainPort(wanted: WantedPort, url: string): string | undefined {
  const { name, option, port, isNamed } = wanted
  const found = Number(new URL(url).port)
  if (found === port || port === 0) return undefined
  if (isNamed) throw new Error(portTaken(wanted))
  return `Port ${port} is in use, so ${name} listens on port ${found} this time; to use a fixed port, set ${option}.`
}
