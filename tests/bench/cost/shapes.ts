import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { BUSY_TOKEN, BUSY_WALLET, CROWD } from './generate-events.ts'
import { address } from './make-bench-event.ts'

export interface Shape {
  name: string
  request: string
}

const ORDERS = {
  newest: '',
  oldest: 'createdAt=asc',
  'highest block': 'blockNumber=desc',
  'lowest block': 'blockNumber=asc',
  'newest, ties reversed': 'createdAt=desc&blockNumber=asc',
  'oldest, ties reversed': 'createdAt=asc&blockNumber=desc',
}

const MIDDLING_WALLET = address('wallet', 40)
const QUIET_WALLET = address('wallet', 9_000)
const MIDDLING_TOKEN = address('token', 20)

const TOKEN_ID = 77

/** A span of the middle blocks of polygon. Other networks also have some of these block numbers. */
function blockSpanOf(records: EventRecord[]): string {
  const blocks = records.filter(({ network }) => network === 'polygon').map(({ blockNumber }) => blockNumber)
  const [from, to] = [0.4, 0.6].map(part => blocks[Math.floor(blocks.length * part)])
  return `fromBlock=${from}&toBlock=${to}`
}

const newestOf = (records: EventRecord[], network: Network) =>
  records
    .filter(record => record.network === network)
    .toSorted((a, b) => a.blockNumber - b.blockNumber)
    .at(-1)

/** Each query comes in several orders. Together they use every plan, on busy, average and quiet lists. */
export function shapesOf(records: EventRecord[]): Shape[] {
  const crowdedBlock = records.find(
    ({ network, createdAt }) => network === CROWD.network && Date.parse(createdAt) / 1000 === CROWD.seconds,
  )
  const ordinary = records[70_000]
  const block = crowdedBlock?.blockNumber ?? 0
  const newest = newestOf(records, 'polygon')
  const minBlock = `minBlock=polygon:${newest?.blockNumber}`
  const everyOrder = Object.keys(ORDERS) as (keyof typeof ORDERS)[]
  const groups: [name: string, path: string, orders?: (keyof typeof ORDERS)[]][] = [
    ['busy wallet', `user-events/${BUSY_WALLET}`, everyOrder],
    ['busy wallet, one network', `user-events/${BUSY_WALLET}?network=polygon`, everyOrder],
    ['busy wallet, one kind', `user-events/${BUSY_WALLET}?event=TransferBatch`, everyOrder],
    [
      'busy wallet, rare kind',
      `user-events/${BUSY_WALLET}?event=OwnershipTransferred`,
      ['newest', 'highest block'],
    ],
    [
      'middling wallet',
      `user-events/${MIDDLING_WALLET}`,
      ['newest', 'oldest', 'highest block', 'newest, ties reversed'],
    ],
    ['quiet wallet', `user-events/${QUIET_WALLET}`, ['newest', 'highest block']],
    ['busy token', `token-events?address=${BUSY_TOKEN}`, everyOrder],
    [
      'busy token, rare kind',
      `token-events?address=${BUSY_TOKEN}&event=OwnershipTransferred`,
      ['newest', 'lowest block'],
    ],
    ['middling token', `token-events?address=${MIDDLING_TOKEN}`, ['newest', 'oldest', 'lowest block']],
    ['sender', `token-events?from=${BUSY_WALLET}`, ['newest', 'highest block', 'oldest, ties reversed']],
    ['creator', `token-events?creator=${BUSY_WALLET}`, ['newest', 'oldest']],
    ['owner', `token-events?owner=${BUSY_WALLET}`, ['newest', 'highest block']],
    ['owner of one kind', `token-events?owner=${BUSY_WALLET}&event=MintedBatch`],
    ['sender and kind', `token-events?from=${BUSY_WALLET}&event=TransferBatch`, ['newest', 'highest block']],
    [
      'sender and token, both busy',
      `token-events?from=${BUSY_WALLET}&address=${BUSY_TOKEN}`,
      ['newest', 'oldest', 'highest block', 'newest, ties reversed'],
    ],
    [
      'sender and middling token',
      `token-events?from=${BUSY_WALLET}&address=${MIDDLING_TOKEN}`,
      ['newest', 'oldest', 'lowest block'],
    ],
    [
      'middling sender and busy token',
      `token-events?from=${MIDDLING_WALLET}&address=${BUSY_TOKEN}`,
      ['newest', 'lowest block'],
    ],
    ['sender and receiver', `token-events?from=${BUSY_WALLET}&to=${MIDDLING_WALLET}`, ['newest', 'oldest']],
    [
      'sender, receiver and token',
      `token-events?from=${BUSY_WALLET}&to=${MIDDLING_WALLET}&address=${BUSY_TOKEN}`,
    ],
    ['operator and sender, the same', `token-events?operator=${BUSY_WALLET}&from=${BUSY_WALLET}`],
    ['everything', 'token-events', everyOrder],
    [
      'one kind',
      'token-events?event=MintedBatch',
      ['newest', 'oldest', 'highest block', 'newest, ties reversed'],
    ],
    ['rare kind', 'token-events?event=OwnershipTransferred', ['newest', 'lowest block']],
    [
      'crowded block',
      `token-events?blockNumber=${block}`,
      ['newest', 'highest block', 'newest, ties reversed'],
    ],
    [
      'crowded block, one sender',
      `token-events?blockNumber=${block}&from=${MIDDLING_WALLET}`,
      ['newest', 'highest block'],
    ],
    ['crowded block, one user', `user-events/${MIDDLING_WALLET}?blockNumber=${block}`],
    ['ordinary block', `token-events?blockNumber=${ordinary?.blockNumber}`, ['newest', 'lowest block']],
    ['transaction', `token-events?transactionHash=${ordinary?.transactionHash}`, ['newest', 'lowest block']],
    ['transaction of a user', `user-events/${BUSY_WALLET}?transactionHash=${crowdedBlock?.transactionHash}`],
    [
      'busy wallet, a span of time',
      `user-events/${BUSY_WALLET}?fromTime=2022-06-01&toTime=2022-12-31`,
      ['newest', 'oldest', 'highest block', 'newest, ties reversed'],
    ],
    ['busy token, a week', `token-events?address=${BUSY_TOKEN}&fromTime=2022-06-01&toTime=2022-06-07`],
    [
      'busy wallet, a span of blocks of one network',
      `user-events/${BUSY_WALLET}?network=polygon&${blockSpanOf(records)}`,
      ['newest', 'oldest'],
    ],
    [
      'busy token, a span of blocks',
      `token-events?address=${BUSY_TOKEN}&${blockSpanOf(records)}`,
      ['newest', 'lowest block'],
    ],
    [
      'token id',
      `token-events?address=${BUSY_TOKEN}&tokenId=${TOKEN_ID}`,
      ['newest', 'oldest', 'highest block', 'newest, ties reversed'],
    ],
    ['token id and sender', `token-events?address=${BUSY_TOKEN}&tokenId=${TOKEN_ID}&from=${BUSY_WALLET}`],
    ['busy wallet and busy token', `token-events?user=${BUSY_WALLET}&address=${BUSY_TOKEN}`],
    [
      'busy wallet, two networks',
      `user-events/${BUSY_WALLET}?network=base,polygon`,
      ['newest', 'highest block'],
    ],
    [
      'busy wallet, two kinds',
      `user-events/${BUSY_WALLET}?event=Minted,TransferBatch`,
      ['newest', 'highest block', 'newest, ties reversed'],
    ],
    ['two kinds', 'token-events?event=Minted,TransferBatch', ['newest', 'lowest block']],
    [
      'three tokens',
      `token-events?address=${[0, 1, 20].map(rank => address('token', rank))}`,
      ['newest', 'highest block'],
    ],
    [
      'ten tokens',
      `token-events?address=${Array.from({ length: 10 }, (_, rank) => address('token', rank))}`,
      ['newest', 'highest block'],
    ],
    ['busy wallet, counted', `user-events/${BUSY_WALLET}?count=true`],
    [
      'busy wallet and busy token, counted',
      `token-events?user=${BUSY_WALLET}&address=${BUSY_TOKEN}&count=true`,
    ],
    ['one kind, counted', 'token-events?event=TransferSingle&count=true'],
    ['busy wallet, with minBlock', `user-events/${BUSY_WALLET}?${minBlock}`, ['newest', 'highest block']],
    [
      'busy wallet, one network, with minBlock',
      `user-events/${BUSY_WALLET}?network=polygon&${minBlock}`,
      ['newest', 'newest, ties reversed'],
    ],
    [
      'transaction, with minBlock',
      `token-events?transactionHash=${ordinary?.transactionHash}&${minBlock}`,
      ['newest', 'lowest block'],
    ],
    [
      'newest transaction, with minBlock',
      `token-events?transactionHash=${newest?.transactionHash}&${minBlock}`,
    ],
    ['unknown transaction, with minBlock', `token-events?transactionHash=0x${'7'.repeat(64)}&${minBlock}`],
    [
      'newest block, with minBlock',
      `token-events?blockNumber=${newest?.blockNumber}&${minBlock}`,
      ['newest', 'lowest block'],
    ],
    ['contradiction', `token-events?creator=${BUSY_WALLET}&from=${BUSY_WALLET}`],
    ['no address', `token-events?from=${'1'.repeat(44)}`],
    ['one record', `user-events/${BUSY_WALLET}?limit=1`],
    ['one record of everything', 'token-events?limit=1'],
    ['500 records', `user-events/${BUSY_WALLET}?limit=500`, ['newest', 'highest block']],
    ['500 records of everything', 'token-events?limit=500', ['newest', 'newest, ties reversed']],
  ]
  return groups.flatMap(([name, path, orders = ['newest']]) =>
    orders.map(order => ({
      name: `${name}; ${order}`,
      request: [path, ORDERS[order]].filter(part => part !== '').join(path.includes('?') ? '&' : '?'),
    })),
  )
}
