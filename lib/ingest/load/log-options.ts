import { type Command, Option } from 'commander'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import { connectNode } from '../../chain/nodes/chain-node.ts'
import { checkNodes } from '../../chain/nodes/check-chain.ts'
import { groupNodes, type NodeGroup } from '../../chain/nodes/node-group.ts'
import { type ChainReader, createChainReader, type ReaderOptions } from '../../chain/nodes/read-chain.ts'
import { NodesUnavailableError } from '../../chain/nodes/rpc-errors.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { refuseUseless } from '../../kit/create-command.ts'
import { addUrl, parseChainId } from '../../kit/parse-options.ts'
import { type FindBlocks, readBlockList } from './block-list.ts'
import type { ReadOptions } from './read-events.ts'

/** The options that supply fields missing from nodes' logs, such as the network and often the block time. */
export interface LogOptions {
  network?: Network
  rpc?: string[]
  chainId?: number
  blocks?: string
  erc721?: boolean
}

const options = () => [
  new Option('--network <name>', 'the network of logs that do not name one').choices(NETWORKS),
  new Option(
    '--rpc <url>',
    'JSON-RPC address of a node that supplies the times of logs without a time; may be repeated',
  )
    .argParser(addUrl)
    .conflicts('blocks'),
  new Option(
    '--chain-id <number>',
    "the chain id that nodes must have (default: the network's, or a development node's)",
  ).argParser(parseChainId),
  new Option(
    '--blocks <file>',
    'a file of blocks (number, hash, timestamp) that supplies the times of logs without a time',
  ),
  new Option('--erc721', 'also load ERC-721 transfers, as TransferSingle events with quantity 1'),
]

export function withLogOptions(command: Command): Command {
  for (const option of options()) command.addOption(option)
  return command.hook('preAction', refuseLonely)
}

function refuseLonely(command: Command): void {
  const { rpc, network } = command.opts<LogOptions>()
  if (!network) refuseUseless(command, ['rpc'], '--network')
  if (!rpc) refuseUseless(command, ['chainId'], '--rpc')
}

export const givenLogOption = (command: Command): string | undefined =>
  options().find(option => command.getOptionValue(option.attributeName()) !== undefined)?.long

/** Throws a one-line error if `blocks` is not a file of blocks. */
export async function readLogOptions(
  { network, rpc, chainId, blocks, erc721 }: LogOptions,
  signal: AbortSignal,
): Promise<Pick<ReadOptions, 'network' | 'erc721' | 'findBlocks'>> {
  const read = { network, erc721 }
  if (blocks !== undefined) return { ...read, findBlocks: await readBlockList(blocks, signal) }
  if (!rpc || !network) return read
  const nodes = groupNodes(rpc.map(url => connectNode(url)))
  await checkNodes(nodes.members, { network, chainId }, signal)
  return { ...read, findBlocks: findBlocksOnChain({ network, chainId, nodes }, signal) }
}

/**
 * The returned function throws the same errors as a `ChainReader`. If the first node to answer lacks some of the
 * blocks, these blocks are requested from one node after another, because a node may lag, or may have discarded old
 * blocks.
 */
function findBlocksOnChain(
  { nodes, ...options }: Omit<ReaderOptions, 'contracts'>,
  signal: AbortSignal,
): FindBlocks {
  const readerOf = (group: NodeGroup) => createChainReader({ ...options, nodes: group, contracts: 'any' })
  const all = readerOf(nodes)
  const single = nodes.members.map(node => readerOf(groupNodes([node], { maxRounds: 1 })))
  return async numbers => {
    const found = new Map<number, BlockHeader>()
    const find = async ({ readHeaders }: ChainReader) => {
      const lacking = numbers.filter(number => !found.has(number))
      if (lacking.length === 0) return
      for (const header of await readHeaders(lacking, signal)) if (header) found.set(header.number, header)
    }
    await find(all)
    for (const reader of single) {
      await find(reader).catch(error => {
        if (!(error instanceof NodesUnavailableError)) throw error
      })
    }
    return [...found.values()]
  }
}
