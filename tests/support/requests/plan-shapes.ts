import type { EventRecord } from '../../../lib/events/record.ts'
import { type ApiRequest, tokenEvents, userEvents } from './api-request.ts'

const MAX_BLOCK_FILTER = 100_000_000

const ORDERS: [string, ApiRequest['query']][] = [
  ['newest first', []],
  [
    'oldest first, some skipped',
    [
      ['createdAt', 'asc'],
      ['skip', '3'],
    ],
  ],
  ['highest block first', [['blockNumber', 'desc']]],
  [
    'lowest block first, some skipped',
    [
      ['blockNumber', 'asc'],
      ['skip', '3'],
    ],
  ],
  [
    'newest first, lowest block first',
    [
      ['createdAt', 'desc'],
      ['blockNumber', 'asc'],
    ],
  ],
  [
    'oldest first, highest block first',
    [
      ['createdAt', 'asc'],
      ['blockNumber', 'desc'],
    ],
  ],
]

/** Questions that between them are answered in every way there is to read lists. */
export function shapesOf(records: EventRecord[]): [string, ApiRequest][] {
  const user = mostFrequent(records.flatMap(record => ('from' in record ? [record.from] : [])))
  const token = mostFrequent(records.map(({ address }) => address))
  const receiver = mostFrequent(records.flatMap(record => ('to' in record ? [record.to] : [])))
  const hash = mostFrequent(records.map(({ transactionHash }) => transactionHash))
  const blocks = records.flatMap(({ blockNumber }) =>
    blockNumber > MAX_BLOCK_FILTER ? [] : String(blockNumber),
  )
  const block = mostFrequent(blocks.length > 0 ? blocks : ['1'])
  const network = mostFrequent(records.map(record => record.network))
  const questions: [string, ApiRequest][] = [
    ['a user', userEvents(user)],
    ['a user on a network', userEvents(user, [['network', network]])],
    ['a user and a kind', userEvents(user, [['event', 'TransferSingle']])],
    ['a token', tokenEvents([['address', token]])],
    [
      'a token and a kind',
      tokenEvents([
        ['address', token],
        ['event', 'TransferBatch'],
      ]),
    ],
    ['a sender', tokenEvents([['from', user]])],
    [
      'a sender and a token',
      tokenEvents([
        ['from', user],
        ['address', token],
      ]),
    ],
    [
      'a sender, a receiver and a kind',
      tokenEvents([
        ['from', user],
        ['to', receiver],
        ['event', 'TransferSingle'],
      ]),
    ],
    ['a transaction', tokenEvents([['transactionHash', hash]])],
    ['a block number', tokenEvents([['blockNumber', block]])],
    ['a kind', tokenEvents([['event', 'TransferSingle']])],
    ['all events', tokenEvents()],
  ]
  return questions.flatMap(([name, request]) =>
    ORDERS.map(([order, sorts]): [string, ApiRequest] => [
      `${name}, ${order}`,
      { ...request, query: [...request.query, ...sorts] },
    ]),
  )
}

function mostFrequent<T extends string>(values: T[]): T {
  const groups = [...Map.groupBy(values, value => value).values()].toSorted((a, b) => b.length - a.length)
  const [value] = groups[0] ?? []
  if (value === undefined) throw new Error('No value to choose from')
  return value
}
