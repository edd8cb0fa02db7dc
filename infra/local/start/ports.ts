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
  /** Whether the command line sets the port. If it does, the port is never replaced by a free one. */
  isNamed: boolean
}

/** Linux assigns ports from this number upwards to any process, so a default port in that range might be in use. */
const FIRST_EPHEMERAL_PORT = 32_768

/**
 * The difference between the node's port and the API's port. If the API listens on port 3000, the node listens on 8545,
 * the usual port for nodes.
 */
export const NODE_ABOVE = 5545

/**
 * Returns the port that is `above` higher than the API's port, so that each stack has its own ports. Returns 0 (any
 * free port) if Linux might assign that port to another process.
 */
export const portAbove = (port: number, above: number): number =>
  port + above < FIRST_EPHEMERAL_PORT ? port + above : 0

/**
 * Returns the ports for DynamoDB and Lambda's API. If the API uses port 3000, they are 8000, the default port of
 * DynamoDB Local, and 9000, the port of AWS's Lambda runtime emulator. If the user has set one of them for another
 * part, a free port is used instead.
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

/** Returns a sentence about two options that set the same port, or undefined if all given ports differ. */
export function portNamedTwice({ port, dynamodbPort, lambdaPort }: GivenPorts): string | undefined {
  const pairs = [
    ['--port', port, '--dynamodb-port', dynamodbPort],
    ['--port', port, '--lambda-port', lambdaPort],
    ['--dynamodb-port', dynamodbPort, '--lambda-port', lambdaPort],
  ] as const
  const found = pairs.find(([, one, , other]) => one !== undefined && one === other)
  return found && `${found[0]} and ${found[2]} are both ${found[1]}, but must differ`
}

/** Throws a one-line error if this process cannot listen on the port, for example because the port is in use. */
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

/**
 * Returns a line for the banner if a part listens on another port because its default port was in use. Throws a
 * one-line error if a port from the command line was free when it was checked, but is in use now.
 */
export function explainPort(wanted: WantedPort, url: string): string | undefined {
  const { name, option, port, isNamed } = wanted
  const found = Number(new URL(url).port)
  if (found === port || port === 0) return undefined
  if (isNamed) throw new Error(portTaken(wanted))
  return `Port ${port} is in use, so ${name} listens on port ${found} this time; to use a fixed port, set ${option}.`
}
