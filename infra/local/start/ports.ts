import { freePortLike } from '../processes/listen-at.ts'
import { checkPort, portTaken } from './check-port.ts'

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

/**
 * `above` is the distance of a port from the API's port, so that each stack has its own ports. If the API uses port
 * 3000, the others are 8000, the default of DynamoDB Local, and 9000, the port of AWS's runtime emulator for Lambda.
 */
const PARTS = {
  dynamodbPort: { name: 'DynamoDB', option: '--dynamodb-port', above: 5000 },
  lambdaPort: { name: 'Lambda', option: '--lambda-port', above: 6000 },
} as const

type PartPort = keyof typeof PARTS

/** Linux assigns ports from this number on to any process, so a default port in that range might be in use. */
const FIRST_EPHEMERAL_PORT = 32_768

/** The distance of the live chain's node from the API's port. Beside port 3000 it is at 8545, as nodes usually are. */
const NODE_ABOVE = 5545

/** Resolves with a free port for the live chain's node. */
export const nodePortFor = (port: number): Promise<number> => freePortLike(ownPort(port, NODE_ABOVE))

/** Returns the port at a distance from the API's port, or 0 for any free port if it could be in use. */
function ownPort(port: number, above: number): number {
  const own = port + above
  return own < FIRST_EPHEMERAL_PORT ? own : 0
}

/** Returns the ports of the parts other than the API. A default port gives way to a port that the user sets. */
export function wantedPorts(given: GivenPorts): Record<PartPort, WantedPort> {
  const named = Object.keys(PARTS).map(part => given[part as PartPort])
  const wantedPort = (part: PartPort): WantedPort => {
    const { name, option, above } = PARTS[part]
    const port = given[part]
    if (port !== undefined) return { name, option, port, isNamed: true }
    const own = ownPort(given.port, above)
    return {
      name,
      option,
      port: named.includes(own) ? 0 : own,
      isNamed: false,
    }
  }
  return { dynamodbPort: wantedPort('dynamodbPort'), lambdaPort: wantedPort('lambdaPort') }
}

/** Returns a sentence about two options that set an equal port, or undefined if all ports differ. */
export function portNamedTwice({ port, dynamodbPort, lambdaPort }: GivenPorts): string | undefined {
  const pairs = [
    ['--port', port, '--dynamodb-port', dynamodbPort],
    ['--port', port, '--lambda-port', lambdaPort],
    ['--dynamodb-port', dynamodbPort, '--lambda-port', lambdaPort],
  ] as const
  const found = pairs.find(([, one, , other]) => one !== undefined && one === other)
  return found && `${found[0]} and ${found[2]} are both ${found[1]}`
}

/** Throws an error of one line if the port comes from the command line and cannot be used. */
export async function checkNamedPort({ port, option, isNamed }: WantedPort): Promise<void> {
  if (isNamed) await checkPort(port, option)
}

/**
 * Returns a line about a part whose default port was in use. Throws an error of one line if a port from the command
 * line was free when it was checked, but is in use now.
 */
export function explainPort({ name, option, port, isNamed }: WantedPort, url: string): string | undefined {
  const found = Number(new URL(url).port)
  if (found === port || port === 0) return undefined
  if (isNamed) throw new Error(portTaken(port, option))
  return `Port ${port} is in use, so ${name} is at port ${found} this time; ${option} names a port that stays.`
}
