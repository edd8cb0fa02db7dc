import type { TestChain } from '../chain/chain.ts'
import { indexChain } from '../chain/index-chain.ts'
import type { Random } from '../records/random.ts'
import { until } from '../runner/until.ts'
import type { ProxiedRequest } from './fault-proxy.ts'
import { endOf, killBy, startNodeProxy, startTableProxy } from './index-faults.ts'

/** The highest number of requests after which a run is stopped. Most runs reach the head with fewer requests. */
const MOST_REQUESTS_BEFORE_STOP = 200

interface IndexAttempt {
  random: Random
  chain: TestChain
  target: Omit<Parameters<typeof indexChain>[0], 'rpcUrls' | 'signal' | 'abort'>
  /** A change of the chain during indexing. */
  meanwhile: () => Promise<unknown>
  /** Called just before a request reaches the table. */
  before?: (request: ProxiedRequest) => Promise<unknown>
}

/**
 * Runs the indexer once with a table and two nodes that fail at random. The run may be killed at any write. A run that
 * follows the chain is stopped after a number of requests, so the stop interrupts its work on any machine. Resolves
 * with the run's end.
 */
export async function indexUnderFaults({
  random,
  chain,
  target,
  meanwhile,
  before,
}: IndexAttempt): Promise<string> {
  const killed = new AbortController()
  const stop = new AbortController()
  const rate = random.pick([0, 0.03, 0.1])
  let head = await chain.head()
  const table = await startTableProxy(target.endpoint, { random, rate, kill: killBy(random, killed), before })
  const nodes = await Promise.all(
    [rate, rate].map(each => startNodeProxy(chain.rpcUrl, { random, rate: each, head: () => head })),
  )
  const proxies = [table, ...nodes]
  const requestCount = () => proxies.reduce((sum, proxy) => sum + proxy.requestCount(), 0)
  const indexing = indexChain({
    ...target,
    endpoint: table.url,
    rpcUrls: nodes.map(({ url }) => url),
    signal: stop.signal,
    abort: killed.signal,
  }).then(() => 'done', endOf)
  let isOver = false
  const over = () => {
    isOver = true
  }
  indexing.then(over, over)

  for (let step = random.below(4); step > 0; step--) {
    await meanwhile()
    head = await chain.head()
  }
  if (target.follow) {
    const enough = requestCount() + random.below(MOST_REQUESTS_BEFORE_STOP)
    await until(() => isOver || requestCount() >= enough)
    stop.abort(new Error('Stopped'))
  }
  const end = await indexing
  await Promise.all(proxies.map(proxy => proxy.stop()))
  return end
}
