import { once } from 'node:events'
import { createServer } from 'node:net'

/** The ports from the command line. */
export interface GivenPorts {
  /** The port of the API. */
  port: number
  dynamodbPort?: number
  lambdaPort?: number
}

/** The port that a part of the stack should use. */
export interface WantedPort {
  /** The name of the part that listens on the port. */
  name: string
  /** The option that sets the port. */
  option: string
  /** 0 means any free port. */
  port: number
  /** Whether the command line sets the port. Such a port is never replaced by a free port. */
  isNamed: boolean
}

/** Linux assigns ports from this number on to any process, so a default port in that range might be in use. */
const FIRST_EPHEMERAL_PORT = 32_768

/**
 * The distance of the node's port from the API's port. With the API at 3000, the node is at 8545, the usual port of
 * nodes.
 */
export const NODE_ABOVE = 5545

/**
 * Returns the port at a distance from the API's port, so that each stack has its own ports. Returns 0, for any free
 * port, if the port could be in use.
 */
export const portAbove = (port: number, above: number): number =>
  port + above < FIRST_EPHEMERAL_PORT ? port + above : 0

/**
 * Returns the ports of DynamoDB and of Lambda's API. If the API uses port 3000, they are 8000, the default of DynamoDB
 * Local, and 9000, the port of AWS's runtime emulator for Lambda. A default port gives way to a port that the user sets.
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

/** Returns a sentence about two options that set the same port, or undefined if all ports differ. */
export function portNamedTwice({ port, dynamodbPort, lambdaPort }: GivenPorts): string | undefined {
  const pairs = [
    ['--port', port, '--dynamodb-port', dynamodbPort],
    ['--port', port, '--lambda-port', lambdaPort],
    ['--dynamodb-port', dynamodbPort, '--lambda-port', lambdaPort],
  ] as const
  const found = pairs.find(([, one, , other]) => one !== undefined && one === other)
  return found && `${found[0]} and ${found[2]} are both ${found[1]}, but must differ`
}

/** Throws an error of one line if a port of this machine is in use. The line has the option that sets another port. */
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
  return `This account may not use port ${port}; choose one above 1023 with ${option}`
}

/**
 * Returns a line about a part whose default port was in use. Throws an error of one line if a port from the command
 * line was free when it was checked, but is in use now.
 */
export function explainPort(wanted: WantedPort, url: string): string | undefined {
  const { name, option, port, isNamed } = wanted
  const found = Number(new URL(url).port)
  if (found === port || port === 0) return undefined
  if (isNamed) throw new Error(portTaken(wanted))
  return `Port ${port} is in use, so ${name} listens on port ${found} this time; to use a fixed port, set ${option}.`
}
