import type { Context } from 'aws-lambda'
import { type ChainNode, connectNode } from '../../chain/nodes/chain-node.ts'
import { groupNodes, type NodeGroup } from '../../chain/nodes/node-group.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { type Clock, limitRun, MONOTONIC_CLOCK } from '../../store/clock.ts'
import type { IndexConfig, NetworkConfig } from './index-config.ts'

export interface ScheduledOptions {
  readConfig: () => Promise<IndexConfig>
  connect?: (url: string) => ChainNode
  clock?: Clock
}

export interface NetworkRun {
  network: Network
  settings: Omit<NetworkConfig, 'rpc'>
  nodes: NodeGroup
  stop: AbortSignal
  abort: AbortSignal
}

interface Running extends ScheduledOptions {
  /** How long before the deadline `stop` aborts. `breakOffBeforeMs` is the corresponding time for `abort`. */
  stopBeforeMs: number
  breakOffBeforeMs: number
  work: (run: NetworkRun) => Promise<void>
}

/**
 * Works on all configured networks concurrently, as far as the invocation's time allows. If one network fails, work on
 * the other networks continues. The invocation then fails at its end, so that the error alarm fires.
 */
export async function runNetworks(
  context: Context,
  { readConfig, connect = connectNode, clock = MONOTONIC_CLOCK, work, ...limits }: Running,
): Promise<void> {
  const config = await readConfig()
  const { stop, breakOff: abort, end } = limitRun(context.getRemainingTimeInMillis(), { ...limits, clock })
  const results = await Promise.allSettled(
    NETWORKS.map(async network => {
      if (!config[network]) return
      const { rpc, ...settings } = config[network]
      const connected = rpc.map(url => connect(url))
      await work({ network, settings, nodes: groupNodes(connected, { clock }), stop, abort })
    }),
  )
  end()
  const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  if (failures.length === 0) return
  throw new AggregateError(failures, failures.map(error => (error as Error).message).join('; '))
}
