import type { Context } from 'aws-lambda'
import { type ChainNode, connectNode } from '../../chain/nodes/chain-node.ts'
import { groupNodes, type NodeGroup } from '../../chain/nodes/node-group.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { type Clock, limitRun, MONOTONIC_CLOCK } from '../../store/clock.ts'
import type { IndexConfig, NetworkConfig } from './index-config.ts'

/** The configuration of a scheduled function that works on the indexed networks. */
export interface ScheduledOptions {
  readConfig: () => Promise<IndexConfig>
  /** Connects to a node, instead of `connectNode`. */
  connect?: (url: string) => ChainNode
  clock?: Clock
}

/** What an invocation needs to work on one network. */
export interface NetworkRun {
  network: Network
  settings: Omit<NetworkConfig, 'rpc'>
  nodes: NodeGroup
  /** Aborts when the run should begin nothing new. */
  stop: AbortSignal
  /** Aborts when the run must break off what it is doing. */
  abort: AbortSignal
}

interface Running extends ScheduledOptions {
  /** The times before the deadline at which `stop` and `abort` abort. */
  stopBeforeMs: number
  breakOffBeforeMs: number
  work: (run: NetworkRun) => Promise<void>
}

/**
 * Works on all configured networks at the same time, as far as the time of the invocation allows. If a network fails,
 * the work on the others continues, and the invocation fails at its end, so that the alarm on errors fires.
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
