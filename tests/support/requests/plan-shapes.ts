import type { EventRecord } from '../../../lib/events/record.ts'
import { type ApiRequest, queryOf, tokenEvents, userEvents } from './api-request.ts'

const MAX_BLOCK_FILTER = 100_000_000

const ORDERS: [string, ApiRequest['query']][] = [
  ['newest first', []],
  ['oldest first, some skipped', queryOf('createdAt=asc&skip=3')],
  ['highest block first', [['blockNumber', 'desc']]],
  ['lowest block first, some skipped', queryOf('blockNumber=asc&skip=3')],
  ['newest first, lowest block first', queryOf('createdAt=desc&blockNumber=asc')],
  ['oldest first, highest block first', queryOf('createdAt=asc&blockNumber=desc')],
]

/** Together, these requests use every way of reading lists. */
export function shapesOf(records: EventRecord[]): [string, ApiRequest][] {
  const user = mostFrequent(records.flatMap(record => ('from' in record ? [record.from] : [])))
  const token = mostFrequent(records.map(({ address }) => address))
  const receiver = mostFrequent(records.flatMap(record => ('to' in record ? [record.to] : [])))
  const hash = mostFrequent(records.map(({ transactionHash }) => transactionHash))
  const blocks = records.flatMap(({ blockNumber }) =>
    blockNumber > MAX_BLOCK_FILTER ? [] : String(blockNumber),
  )
  const block = mostFrequent(blocks.length > 0 ? blocks : ['1'])
  const times = records.map(({ createdAt }) => createdAt)
  const paddedBlocks = records.map(({ blockNumber }) => String(blockNumber).padStart(12, '0'))
  const network = mostFrequent(records.map(record => record.network))
  const [tokenOfId, tokenId] = mostFrequent(records.flatMap(idsOf)).split(' ') as [string, string]
  const queries: [string, ApiRequest][] = [
    ['a user', userEvents(user)],
    ['a user on a network', userEvents(user, [['network', network]])],
    ['a user and a kind', userEvents(user, [['event', 'TransferSingle']])],
    ['a token', tokenEvents([['address', token]])],
    ['a token and a kind', tokenEvents(`address=${token}&event=TransferBatch`)],
    ['a sender', tokenEvents([['from', user]])],
    ['a sender and a token', tokenEvents(`from=${user}&address=${token}`)],
    ['a sender, a receiver and a kind', tokenEvents(`from=${user}&to=${receiver}&event=TransferSingle`)],
    ['a transaction', tokenEvents([['transactionHash', hash]])],
    ['a block number', tokenEvents([['blockNumber', block]])],
    ['a span of time', tokenEvents(span('Time', times))],
    ['a user in a span of blocks', userEvents(user, span('Block', paddedBlocks))],
    ['a token id', tokenEvents(`address=${tokenOfId}&tokenId=${tokenId}`)],
    ['a token id and a receiver', tokenEvents(`address=${tokenOfId}&tokenId=${tokenId}&to=${receiver}`)],
    ['a user and a token', tokenEvents(`user=${user}&address=${token}`)],
    ['two tokens', tokenEvents([['address', `${token},${records.at(-1)?.address}`]])],
    ['a user and two kinds', userEvents(user, [['event', 'TransferSingle,TransferBatch']])],
    ['two kinds on two networks', tokenEvents('event=Minted,TransferBatch&network=base,polygon')],
    ['a kind', tokenEvents([['event', 'TransferSingle']])],
    ['all events', tokenEvents()],
  ]
  return queries.flatMap(([name, request]) =>
    ORDERS.map(([order, sorts]): [string, ApiRequest] => [
      `${name}, ${order}`,
      { ...request, query: [...request.query, ...sorts] },
    ]),
  )
}

function idsOf(record: EventRecord): string[] {
  const ids = 'tokenIds' in record ? record.tokenIds : 'tokenId' in record ? [record.tokenId] : []
  return ids.map(id => `${record.address} ${id}`)
}

function span(of: 'Time' | 'Block', values: string[]): ApiRequest['query'] {
  const sorted = values.toSorted()
  const [from, to] = [1, 3].map(quarter => sorted[Math.floor(((sorted.length - 1) * quarter) / 4)] ?? '0')
  return [
    [`from${of}`, from ?? '0'],
    [`to${of}`, to ?? '0'],
  ]
}

export function mostFrequent<T extends string>(values: T[]): T {
  const groups = [...Map.groupBy(values, value => value).values()].toSorted((a, b) => b.length - a.length)
  const [value] = groups[0] ?? []
  if (value === undefined) throw new Error('No value to choose from')
  return value
}
