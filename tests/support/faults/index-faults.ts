import type { Random } from '../records/random.ts'
import type { FaultProxy, Interceptor, ProxiedRequest } from './fault-proxy.ts'
import { startFaultProxy } from './fault-proxy.ts'
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

/** What may end a writer's run that meets faults, is killed or stopped, by name; anything else is a fault of ours. */
const EXPECTED_ENDS = [
  'Killed',
  'Stopped',
  'StartBeyondHeadError',
  'NodesUnavailableError',
  'WriteFailedError',
  'LeaseLostError',
  'LeaseHeldError',
  'ScopeChangedError',
]

/** The name of how a writer's run has ended; throws on what no run may end with. */
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
  /** Whether DynamoDB still gets this last one. */
  arrives: boolean
  onKill: () => void
}

const MOST_WRITES_BEFORE_KILL = 80

/** Half of all writers are killed, at one of their first writes. */
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
  /** What happens to the table just before a request arrives. */
  before?: ((request: ProxiedRequest) => Promise<unknown>) | undefined
}

/** A table that fails now and then, and behind which the writer may die. */
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

/** A node that has limits of its own and fails now and then. */
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
