import type { Random } from '../records/random.ts'
import { type FaultProxy, type Interceptor, type ProxiedRequest, startFaultProxy } from './fault-proxy.ts'
import {
  halfAnswer,
  internalError,
  isWrite,
  lostAnswer,
  pass,
  reset,
  slow,
  status,
  throttled,
  unprocessed,
} from './faults.ts'
import { answering, confused, lagging, narrow, sparing, withoutTimestamps } from './rpc-faults.ts'

const TABLE_FAULTS = [
  throttled,
  internalError,
  reset,
  lostAnswer,
  halfAnswer,
  slow(50),
  unprocessed(writes => Math.ceil(writes / 2)),
  unprocessed(writes => writes),
]

const NODE_FAULTS = [
  status(429, { headers: { 'retry-after': '0' } }),
  status(500),
  status(503),
  status(200, { body: 'not what was asked for' }),
  reset,
  halfAnswer,
  slow(50),
  confused,
  answering(null),
]

/** The allowed ends of a writer's run under faults, kills and stops. Any other end is a bug. */
const EXPECTED_ENDS = [
  'Killed',
  'Stopped',
  'StartBeyondHeadError',
  'NodesUnavailableError',
  'UnprovenBlockError',
  'TableBusyError',
  'LeaseLostError',
  'LeaseHeldError',
  'ScopeChangedError',
]

/** The name of a run's end. Throws for an end that is not allowed. */
export function endOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  const isKilled = error.name === 'AbortError' || error.message === 'Killed'
  const name = isKilled ? 'Killed' : error.name === 'Error' ? error.message : error.name
  if (!EXPECTED_ENDS.includes(name)) throw error
  return name
}

interface Kill {
  /** The write at which the process dies, counted from 0. */
  atWrite: number
  /** Whether DynamoDB receives this last write. */
  arrives: boolean
  onKill: () => void
}

const MOST_WRITES_BEFORE_KILL = 80

/** Kills half of all writers, each at a random one of its first 80 writes. */
export function killBy(random: Random, killed: AbortController): Kill | undefined {
  if (!random.chance(0.5)) return undefined
  return {
    atWrite: random.below(MOST_WRITES_BEFORE_KILL),
    arrives: random.chance(0.5),
    onKill: () => killed.abort(new Error('Killed')),
  }
}

interface TableFaults {
  random: Random
  /** The share of requests that fail. */
  rate: number
  kill?: Kill | undefined
  /** Called just before a request reaches the table. */
  before?: ((request: ProxiedRequest) => Promise<unknown>) | undefined
}

/** A table whose requests fail at random, and whose writer may be killed. */
export function startTableProxy(
  endpoint: string,
  { random, rate, kill, before }: TableFaults,
): Promise<FaultProxy> {
  let writes = 0
  let isDead = false
  return startFaultProxy(endpoint, async (request, forward) => {
    await before?.(request)
    if (isDead) return 'reset'
    if (kill && isWrite(request) && writes++ === kill.atWrite) {
      isDead = true
      kill.onKill()
      return kill.arrives ? lostAnswer(request, forward) : 'reset'
    }
    return faultOf(TABLE_FAULTS, { random, rate })(request, forward)
  })
}

/** A node that may have limits, and whose requests fail at random. */
export function startNodeProxy(
  rpcUrl: string,
  { random, rate, head }: { random: Random; rate: number; head: () => number },
): Promise<FaultProxy> {
  const usual = random.pick<Interceptor>([pass, narrow(7), sparing(5), withoutTimestamps])
  const faults = [...NODE_FAULTS, lagging(() => head() - 3)]
  return startFaultProxy(rpcUrl, (request, forward) =>
    (random.chance(rate) ? faultOf(faults, { random, rate: 1 }) : usual)(request, forward),
  )
}

const faultOf = (faults: readonly Interceptor[], { random, rate }: { random: Random; rate: number }) =>
  random.chance(rate) ? random.pick(faults) : pass
