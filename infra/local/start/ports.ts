import { checkPort, portTaken } from './check-port.ts'

/** The ports as they are given. */
export interface GivenPorts {
  /** Of the API. */
  port: number
  dynamodbPort?: number
  lambdaPort?: number
}

/** Where a part of the stack is to listen. */
export interface WantedPort {
  /** What listens there. */
  name: string
  /** The option that names the port. */
  option: string
  /** 0 is any free one. */
  port: number
  /** Whether it was named: then no other will do. */
  isNamed: boolean
}

/**
 * How far above the API's port the others are, so that each stack has its own. Beside 3000 that is 8000, where DynamoDB
 * Local is by default, and 9000, where AWS's runtime emulator for Lambda is.
 */
const PARTS = {
  dynamodbPort: { name: 'DynamoDB', option: '--dynamodb-port', above: 5000 },
  lambdaPort: { name: 'Lambda', option: '--lambda-port', above: 6000 },
} as const

type PartPort = keyof typeof PARTS

/** From here on Linux gives ports to whoever asks for any, so none of them stays free. */
const FIRST_EPHEMERAL_PORT = 32_768

/** Where the parts beside the API are to listen. A default gives way to a port that was named for another part. */
export function wantedPorts(given: GivenPorts): Record<PartPort, WantedPort> {
  const named = Object.keys(PARTS).map(part => given[part as PartPort])
  const wantedPort = (part: PartPort): WantedPort => {
    const { name, option, above } = PARTS[part]
    const port = given[part]
    if (port !== undefined) return { name, option, port, isNamed: true }
    const own = given.port + above
    return {
      name,
      option,
      port: own < FIRST_EPHEMERAL_PORT && !named.includes(own) ? own : 0,
      isNamed: false,
    }
  }
  return { dynamodbPort: wantedPort('dynamodbPort'), lambdaPort: wantedPort('lambdaPort') }
}

/** Says which options name the same port, where two do. */
export function portNamedTwice({ port, dynamodbPort, lambdaPort }: GivenPorts): string | undefined {
  const pairs = [
    ['--port', port, '--dynamodb-port', dynamodbPort],
    ['--port', port, '--lambda-port', lambdaPort],
    ['--dynamodb-port', dynamodbPort, '--lambda-port', lambdaPort],
  ] as const
  const found = pairs.find(([, one, , other]) => one !== undefined && one === other)
  return found && `${found[0]} and ${found[2]} are both ${found[1]}`
}

/** Throws with one line when a port was named on which nothing can listen. */
export async function checkNamedPort({ port, option, isNamed }: WantedPort): Promise<void> {
  if (isNamed) await checkPort(port, option)
}

/**
 * Says where a part listens whose default port is taken. Throws with one line when the port was named, and was taken
 * after it had been checked.
 */
export function explainPort({ name, option, port, isNamed }: WantedPort, url: string): string | undefined {
  const found = Number(new URL(url).port)
  if (found === port || port === 0) return undefined
  if (isNamed) throw new Error(portTaken(port, option))
  return `Port ${port} is in use, so ${name} is at port ${found} this time; ${option} names a port that stays.`
}
