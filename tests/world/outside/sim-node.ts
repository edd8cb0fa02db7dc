import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'
import { CHAINS } from '../../../lib/events/networks.ts'
import type { Random } from '../../support/records/random.ts'
import type { Gate } from '../gate/gate.ts'
import type { Block, NodeLog, SimChain } from './sim-chain.ts'

export type Mood =
  | ('honest' | 'gone' | 'busy' | 'lagging' | 'forked' | 'forgetful' | 'lying' | 'hanging')
  /** The node calls blocks final although its chain cannot have finalised them yet. */
  | 'hasty'
  /** The node behaves like two nodes behind one address. One of them keeps the chain as it was when the mood began. */
  | 'balanced'
  /** The node sometimes lacks a block below its head, like one of several machines behind one address. */
  | 'patchy'

export interface NodeTraits {
  hasBlockReceipts: boolean
  /** The maximum number of blocks in a range for `eth_getLogs`. */
  widestRange: number
}

export interface SimNode {
  connect(): ChainNode
  mood: Mood
  /** Whether the node has ever been able to return blocks that have left the chain. */
  hasForked: boolean
  /** How many blocks the node is behind while it is `lagging`. */
  lag: number
  /** The wrong replies that the node can give. The network's indexer must detect all of them at its proof level. */
  lies: 'against-bloom' | 'about-logs' | 'any'
}

interface Request {
  method: string
  params: unknown[]
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

const PATIENCE_MS = 30_000
/** After this many stale answers in a row, the next one is true, so that no program gives up. */
const MOST_STALE_IN_ROW = 4

/** Requests that a process sends together pass the gate as one call, like a JSON-RPC batch. Errors have viem's form. */
export function createSimNode(
  name: string,
  { chain, gate, random, traits }: { chain: SimChain; gate: Gate; random: Random; traits: NodeTraits },
): SimNode {
  const url = `https://${name}/`
  const { finalAfter } = CHAINS[chain.network]

  /** The node stays on this fork. `final` is the number of the newest block that was final when the fork began. */
  let fork: { blocks: readonly Block[]; final: number } | undefined

  /** Whether the stale machine of a balanced node responds. */
  let isStale = false
  let staleInRow = 0

  let mood: Mood = 'honest'
  const node: SimNode = {
    get mood() {
      return mood
    },
    set mood(wanted) {
      mood = wanted
      fork =
        mood === 'forked' || mood === 'balanced'
          ? { blocks: chain.blocks.slice(), final: chain.finalized().number }
          : undefined
      node.hasForked ||= fork !== undefined
    },
    hasForked: false,
    lag: 3,
    lies: 'against-bloom',
    connect: () => {
      let batch: Request[] = []
      let batchSignal: AbortSignal | undefined
      function flush() {
        const requests = batch
        batch = []
        const [first] = requests
        const title = first && requests.length > 1 ? `${requests.length} × ${first.method}` : titleOf(first)
        gate
          .pass({
            title: `${name}: ${title}`,
            patienceMs: PATIENCE_MS,
            take() {
              chain.noteRequest()
              const mayBeStale = node.mood === 'balanced' && staleInRow < MOST_STALE_IN_ROW
              isStale = mayBeStale && random.chance(0.5)
              // Some load balancers divide a batch between two machines.
              const isDivided = mayBeStale && requests.length > 1 && random.chance(0.3)
              const ofFirst = isDivided ? 1 + random.below(requests.length - 1) : requests.length
              staleInRow = isStale || isDivided ? staleInRow + 1 : 0
              return requests.map((request, index) => {
                if (index === ofFirst) isStale = !isStale
                return answerOf(request)
              })
            },
            refusals: [
              () => new HttpRequestError({ url, status: 503, body: {} }),
              () => new HttpRequestError({ url, status: 429, body: {} }),
              () => refusal(-32_603, 'internal error'),
            ],
            lost: () => new HttpRequestError({ url, cause: new Error('fetch failed') }),
            timedOut: () => new TimeoutError({ url, body: {} }),
            signal: batchSignal,
            isMute: () => node.mood === 'hanging',
          })
          .then(
            answers => {
              for (const settle of answers) settle()
            },
            error => {
              for (const { reject } of requests) reject(error)
            },
          )
      }
      return {
        name,
        request: (method, params, signal) =>
          new Promise((resolve, reject) => {
            if (batch.length > 0 && batchSignal !== signal) flush()
            if (batch.length === 0) process.nextTick(() => batch.length > 0 && flush())
            batchSignal = signal
            batch.push({ method, params, resolve, reject })
          }),
      }
    },
  }

  function answerOf({ method, params, resolve, reject }: Request): () => void {
    try {
      const value = structuredClone(answer(method, params))
      return () => resolve(value)
    } catch (error) {
      return () => reject(error)
    }
  }

  function known(isOfFork: boolean): readonly Block[] {
    const blocks = (isOfFork && fork?.blocks) || chain.blocks
    return node.mood === 'lagging' ? blocks.slice(0, Math.max(1, blocks.length - node.lag)) : blocks
  }

  function answer(method: string, params: unknown[]): unknown {
    if (node.mood === 'gone') throw new HttpRequestError({ url, cause: new Error('connect ECONNREFUSED') })
    if (node.mood === 'busy' && random.chance(0.7)) throw new HttpRequestError({ url, status: 429, body: {} })
    const isOfFork = node.mood !== 'balanced' || (isStale && !isOfRange(method, params))
    const blocks = known(isOfFork)
    const head = blocks.at(-1) as Block
    const find = (number: number) => blocks[number - chain.first]
    switch (method) {
      case 'eth_chainId':
        return `0x${CHAINS[chain.network].chainId.toString(16)}`
      case 'eth_getBlockByNumber': {
        const [tag] = params
        if (tag === 'latest') return head.header
        if (tag === 'finalized') {
          const final = (isOfFork && fork?.final) || chain.finalized().number
          // A hasty node's final block is closer to the head than `finalAfter`, which contradicts the chain's rules.
          const claimed = node.mood === 'hasty' ? head.number - random.below(finalAfter) : final
          return find(Math.max(final, Math.min(claimed, head.number)))?.header ?? null
        }
        const block = find(Number(tag))
        const isLacking = node.mood === 'patchy' && random.chance(0.3)
        return block && !isLacking ? lieAboutHeader(block) : null
      }
      case 'eth_getLogs':
        return logs(params[0] as LogQuery, blocks)
      case 'eth_getBlockReceipts': {
        if (!traits.hasBlockReceipts) throw refusal(-32_601, 'the method does not exist')
        const block = blocks.find(({ hash }) => hash === params[0])
        return block ? lieAboutReceipts(receiptsOf(block)) : null
      }
      case 'eth_getTransactionReceipt':
        for (let index = blocks.length - 1; index >= 0; index -= 1) {
          const block = blocks[index] as Block
          const at = block.transactions.findIndex(({ hash }) => hash === params[0])
          if (at >= 0) return receiptsOf(block)[at]
        }
        return null
      case 'eth_getCode':
        return '0x60'
      default:
        throw refusal(-32_601, `the method ${method} does not exist`)
    }
  }

  /** The stale machine answers no requests for ranges, because it would omit the logs of blocks that it lacks. */
  const isOfRange = (method: string, [query]: unknown[]) =>
    method === 'eth_getLogs' && (query as LogQuery).blockHash === undefined

  interface LogQuery {
    blockHash?: string
    fromBlock?: string
    toBlock?: string
    address?: readonly string[]
    topics: [readonly string[]]
  }

  function logs(query: LogQuery, blocks: readonly Block[]): NodeLog[] {
    const { blockHash, fromBlock, toBlock, address, topics } = query
    const isAskedFor = (log: NodeLog) =>
      (!address || address.includes(log.address)) && topics[0].includes(log.topics[0] ?? '')
    if (blockHash) {
      const block = blocks.find(({ hash }) => hash === blockHash)
      if (!block) throw refusal(-32_000, 'unknown block')
      return lieAboutLogs(block.logs.filter(isAskedFor))
    }
    const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), blocks.at(-1)?.number ?? 0)]
    if (to - from + 1 > traits.widestRange) throw refusal(-32_005, 'query returned more than 10000 results')
    const found = blocks.filter(({ number }) => number >= from && number <= to)
    return found.flatMap(block => block.logs.filter(isAskedFor))
  }

  const refusal = (code: number, message: string) =>
    new RpcRequestError({ url, body: {}, error: { code, message } })

  function lieAboutLogs(truth: NodeLog[]): NodeLog[] {
    if (truth.length === 0) return truth
    if (node.mood === 'forgetful') return random.chance(0.5) ? [] : withoutSome(truth)
    if (node.mood !== 'lying' || random.chance(0.3)) return truth
    const at = random.below(truth.length)
    const log = truth[at] as NodeLog
    const alter = (change: Partial<NodeLog>) => truth.with(at, { ...log, ...change })
    const otherBlock = () => {
      const blockHash = flip(log.blockHash)
      return truth.map(each => ({ ...each, blockHash }))
    }
    const against = [
      () => [],
      () => withoutTopic(truth),
      otherBlock,
      otherBlock,
      () => [...truth, log],
      () => alter({ address: flip(log.address) }),
      () => alter({ topics: log.topics.map((topic, index) => (index === 1 ? flip(topic) : topic)) }),
    ]
    const any = [
      ...against,
      () => truth.toSpliced(at, 1),
      () => alter({ data: flip(log.data) }),
      () => alter({ transactionHash: flip(log.transactionHash) }),
    ]
    return random.pick<() => NodeLog[]>(node.lies === 'against-bloom' ? against : any)()
  }

  const withoutSome = (truth: NodeLog[]) =>
    node.lies !== 'against-bloom' ? truth.toSpliced(random.below(truth.length), 1) : withoutTopic(truth)

  function withoutTopic(truth: NodeLog[]): NodeLog[] {
    const topic = random.pick(truth).topics[0]
    return truth.filter(({ topics }) => topics[0] !== topic)
  }

  function flip(value: string): string {
    if (value.length <= 2) return value
    const at = 2 + random.below(value.length - 2)
    const digit = Number.parseInt(value[at] ?? '0', 16) ^ (1 << random.below(4))
    return value.slice(0, at) + digit.toString(16) + value.slice(at + 1)
  }

  type Fields = Readonly<Record<string, unknown>>

  function lieAboutHeader({ header }: Block): Fields {
    if (node.lies !== 'any' || node.mood !== 'lying' || random.chance(0.7)) return header
    return random.pick<() => Fields>([
      () => ({ ...header, logsBloom: `0x${'00'.repeat(256)}` }),
      () => ({ ...header, receiptsRoot: flip(String(header.receiptsRoot)) }),
      () => ({ ...header, timestamp: flip(String(header.timestamp)) }),
      () => ({ ...header, transactions: (header.transactions as string[]).slice(1) }),
    ])()
  }

  const receiptsOf = ({ receipts, hash, number }: Block): Fields[] =>
    receipts.map(receipt => ({ ...receipt, blockHash: hash, blockNumber: `0x${number.toString(16)}` }))

  function lieAboutReceipts(truth: Fields[]): Fields[] | null {
    if (truth.length === 0 || (node.mood !== 'lying' && node.mood !== 'forgetful') || random.chance(0.3))
      return truth
    const at = random.below(truth.length)
    const receipt = truth[at] as Fields
    const alter = (change: Fields) => truth.with(at, { ...receipt, ...change })
    const ofReceipt = receipt.logs as { data: string }[]
    return random.pick<() => Fields[] | null>([
      () => [],
      () => null,
      () => truth.toSpliced(at, 1),
      () => [...truth, receipt],
      () => truth.toReversed(),
      () => alter({ logs: ofReceipt.slice(1) }),
      () => alter({ logs: ofReceipt.map(log => ({ ...log, data: flip(log.data) })) }),
      () => alter({ status: '0x0' }),
      () => alter({ transactionHash: flip(String(receipt.transactionHash)) }),
    ])()
  }

  return node
}

function titleOf(request: Request | undefined): string {
  if (!request) return ''
  const [first] = request.params
  const detail = typeof first === 'string' ? ` ${first.slice(0, 12)}` : ''
  return `${request.method}${detail}`
}
