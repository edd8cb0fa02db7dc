import type { Forward, Interceptor, ProxiedAnswer, ProxiedRequest } from './fault-proxy.ts'
import { jsonAnswer } from './faults.ts'

export interface RpcCall {
  id: number
  method: string
  params: unknown[]
}

interface RpcReply {
  id: number
  result?: unknown
  error?: { code: number; message: string }
}

const callsOf = (body: string): RpcCall[] => [JSON.parse(body) as RpcCall | RpcCall[]].flat()

/** `change` gets each call, single or in a batch, with the true reply, and returns the reply to send. */
export const changeReplies =
  (change: (call: RpcCall, reply: RpcReply) => RpcReply): Interceptor =>
  async (request: ProxiedRequest, forward: Forward): Promise<ProxiedAnswer> => {
    const answer = await forward()
    if (answer.status !== 200) return answer
    const calls = new Map(callsOf(request.body).map(call => [call.id, call]))
    const replies = JSON.parse(answer.body.toString()) as RpcReply | RpcReply[]
    const changed = [replies].flat().map(reply => {
      const call = calls.get(reply.id)
      return call ? change(call, reply) : reply
    })
    return jsonAnswer(200, Array.isArray(replies) ? changed : changed[0])
  }

/** Changes the result of each call of the method. */
export const changeResults = <T>(
  method: string,
  change: (result: T, params: unknown[]) => unknown,
): Interceptor =>
  changeReplies((call, reply) =>
    call.method === method ? { ...reply, result: change(reply.result as T, call.params) } : reply,
  )

/** Replies to each call with this result. `null` means a missing value. */
export const answering = (result: unknown): Interceptor => changeReplies((_, reply) => ({ ...reply, result }))

interface LogFilter {
  fromBlock?: string
  toBlock?: string
}

const refuse = (reply: RpcReply, message: string): RpcReply => ({
  id: reply.id,
  error: { code: -32602, message },
  ...{ jsonrpc: '2.0' },
})

export const narrow = (maxBlocks: number): Interceptor =>
  changeReplies(({ method, params }, reply) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as LogFilter
    if (method !== 'eth_getLogs' || !fromBlock || !toBlock) return reply
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    return blocks > maxBlocks ? refuse(reply, `Block range is too wide: ${blocks}`) : reply
  })

export const sparing = (maxLogs: number): Interceptor =>
  changeReplies(({ method, params }, reply) => {
    const isRange = (params[0] as LogFilter | undefined)?.fromBlock !== undefined
    const logs = Array.isArray(reply.result) ? reply.result.length : 0
    return method === 'eth_getLogs' && isRange && logs > maxLogs
      ? refuse(reply, `query returned more than ${maxLogs} results`)
      : reply
  })

const changeLogs = (change: (log: Record<string, unknown>) => object): Interceptor =>
  changeResults<Record<string, unknown>[] | undefined>('eth_getLogs', logs => logs?.map(change))

export const withoutTimestamps = changeLogs(({ blockTimestamp: _, ...log }) => log)

/** The node returns the time 0 in logs of blocks up to `lastBlock`, as some nodes do instead of omitting the time. */
export const timeless = (lastBlock: number): Interceptor =>
  changeLogs(log => (Number(log.blockNumber) <= lastBlock ? { ...log, blockTimestamp: '0x0' } : log))

/** For the newest blocks, the node returns no logs and no error. */
export const lagging = (lastBlock: () => number): Interceptor =>
  changeReplies(({ method, params }, reply) => {
    const { fromBlock } = (params[0] ?? {}) as LogFilter
    if (method === 'eth_getLogs' && fromBlock && Array.isArray(reply.result)) {
      const known = reply.result.filter(log => Number(log.blockNumber) <= lastBlock())
      return { ...reply, result: known }
    }
    const isUnknown = method === 'eth_getBlockByNumber' && Number(params[0]) > lastBlock()
    return isUnknown ? { ...reply, result: null } : reply
  })

/** The logs contain the hash of a different block, as if they came from a corrupt cache. */
export const confused = changeLogs(log => ({ ...log, blockHash: `0x${'00'.repeat(32)}` }))
