import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { BUSY_TOKEN, BUSY_WALLET, CROWD } from './generate-events.ts'
import { address } from './make-bench-event.ts'

export interface Shape {
  name: string
  request: string
}

export const ORDERS = {
  newest: '',
  oldest: 'createdAt=asc',
  'highest block': 'blockNumber=desc',
  'lowest block': 'blockNumber=asc',
  'newest, then lowest block': 'createdAt=desc&blockNumber=asc',
  'oldest, then highest block': 'createdAt=asc&blockNumber=desc',
}

const MIDDLING_WALLET = address('wallet', 40)
const MIDDLING_TOKEN = address('token', 20)

const WALLET = `user-events/${BUSY_WALLET}`
const WALLET_ON_POLYGON = `${WALLET}?network=polygon`
const MIDDLING = `user-events/${MIDDLING_WALLET}`
const TOKEN = `token-events?address=${BUSY_TOKEN}`
const TOKEN_ID = `${TOKEN}&tokenId=77`
const BOTH = `token-events?user=${BUSY_WALLET}&address=${BUSY_TOKEN}`
const SENDER = `token-events?from=${BUSY_WALLET}`
const OF_MIDDLING = `address=${MIDDLING_TOKEN}`
const BLOCK = 'token-events?blockNumber='
const HASH = 'token-events?transactionHash='

type Order = keyof typeof ORDERS
const EVERY_ORDER = Object.keys(ORDERS) as Order[]
const BOTH_TIMES: Order[] = ['newest', 'oldest']
const AND_HIGHEST: Order[] = ['newest', 'highest block']
const THREE: Order[] = ['newest', 'oldest', 'lowest block']
const AND_LOWEST: Order[] = ['newest', 'lowest block']
const AND_THEN_LOWEST: Order[] = ['newest', 'newest, then lowest block']
const AND_REVERSED: Order[] = ['newest', 'highest block', 'newest, then lowest block']
const MOST_ORDERS: Order[] = ['newest', 'oldest', 'highest block', 'newest, then lowest block']

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

const ofTokens = (ranks: Iterable<number>) =>
  `token-events?address=${Array.from(ranks, rank => address('token', rank))}`

/** Each query comes in several orders. Together they use every plan, on busy, average and quiet lists. */
export function shapesOf(records: EventRecord[]): Shape[] {
  const crowdedBlock = records.find(
    ({ network, createdAt }) => network === CROWD.network && Date.parse(createdAt) / 1000 === CROWD.seconds,
  )
  const ordinary = records[70_000]
  const block = crowdedBlock?.blockNumber ?? 0
  const newest = newestOf(records, 'polygon')
  const minBlock = `minBlock=polygon:${newest?.blockNumber}`
  const blockSpan = blockSpanOf(records)
  const groups: [name: string, path: string, orders?: Order[]][] = [
    ['busy wallet', WALLET, EVERY_ORDER],
    ['busy wallet, one network', WALLET_ON_POLYGON, EVERY_ORDER],
    ['busy wallet, one kind', `${WALLET}?event=TransferBatch`, EVERY_ORDER],
    ['busy wallet, rare kind', `${WALLET}?event=OwnershipTransferred`, AND_HIGHEST],
    ['middling wallet', MIDDLING, MOST_ORDERS],
    ['quiet wallet', `user-events/${address('wallet', 9_000)}`, AND_HIGHEST],
    ['busy token', TOKEN, EVERY_ORDER],
    ['busy token, rare kind', `${TOKEN}&event=OwnershipTransferred`, AND_LOWEST],
    ['middling token', `token-events?${OF_MIDDLING}`, THREE],
    ['busy wallet as sender', SENDER, ['newest', 'highest block', 'oldest, then highest block']],
    ['busy wallet as creator', `token-events?creator=${BUSY_WALLET}`, BOTH_TIMES],
    ['busy wallet as owner', `token-events?owner=${BUSY_WALLET}`, AND_HIGHEST],
    ['busy wallet as owner, one kind', `token-events?owner=${BUSY_WALLET}&event=MintedBatch`],
    ['busy wallet as sender, one kind', `${SENDER}&event=TransferBatch`, AND_HIGHEST],
    ['busy sender and busy token', `${SENDER}&address=${BUSY_TOKEN}`, MOST_ORDERS],
    ['busy sender and middling token', `${SENDER}&${OF_MIDDLING}`, THREE],
    ['middling sender and busy token', `${TOKEN}&from=${MIDDLING_WALLET}`, AND_LOWEST],
    ['busy sender and middling receiver', `${SENDER}&to=${MIDDLING_WALLET}`, BOTH_TIMES],
    ['busy sender, middling receiver and busy token', `${TOKEN}&from=${BUSY_WALLET}&to=${MIDDLING_WALLET}`],
    ['busy wallet as operator and sender', `token-events?operator=${BUSY_WALLET}&from=${BUSY_WALLET}`],
    ['all events', 'token-events', EVERY_ORDER],
    ['all events of one kind', 'token-events?event=MintedBatch', MOST_ORDERS],
    ['all events of a rare kind', 'token-events?event=OwnershipTransferred', AND_LOWEST],
    ['crowded block', `${BLOCK}${block}`, AND_REVERSED],
    ['crowded block, middling sender', `${BLOCK}${block}&from=${MIDDLING_WALLET}`, AND_HIGHEST],
    ['crowded block, middling wallet', `${MIDDLING}?blockNumber=${block}`],
    ['ordinary block', `${BLOCK}${ordinary?.blockNumber}`, AND_LOWEST],
    ['one transaction', `${HASH}${ordinary?.transactionHash}`, AND_LOWEST],
    ['busy wallet, one transaction', `${WALLET}?transactionHash=${crowdedBlock?.transactionHash}`],
    ['busy wallet, a time span', `${WALLET}?fromTime=2022-06-01&toTime=2022-12-31`, MOST_ORDERS],
    ['busy token, a time span of a week', `${TOKEN}&fromTime=2022-06-01&toTime=2022-06-07`],
    ['busy wallet, one network, a span of blocks', `${WALLET_ON_POLYGON}&${blockSpan}`, BOTH_TIMES],
    ['busy token, a span of blocks', `${TOKEN}&${blockSpan}`, AND_LOWEST],
    ['busy token, one token id', TOKEN_ID, MOST_ORDERS],
    ['busy token, one token id, busy sender', `${TOKEN_ID}&from=${BUSY_WALLET}`],
    ['busy wallet and busy token', BOTH],
    ['busy wallet, two networks', `${WALLET}?network=base,polygon`, AND_HIGHEST],
    ['busy wallet, two kinds', `${WALLET}?event=Minted,TransferBatch`, AND_REVERSED],
    ['all events of two kinds', 'token-events?event=Minted,TransferBatch', AND_LOWEST],
    ['three tokens', ofTokens([0, 1, 20]), AND_HIGHEST],
    ['ten tokens', ofTokens(Array(10).keys()), AND_HIGHEST],
    ['busy wallet, counted', `${WALLET}?count=true`],
    ['busy wallet and busy token, counted', `${BOTH}&count=true`],
    ['all events of one kind, counted', 'token-events?event=TransferSingle&count=true'],
    ['busy wallet, with `minBlock`', `${WALLET}?${minBlock}`, AND_HIGHEST],
    ['busy wallet, one network, with `minBlock`', `${WALLET_ON_POLYGON}&${minBlock}`, AND_THEN_LOWEST],
    ['one transaction, with `minBlock`', `${HASH}${ordinary?.transactionHash}&${minBlock}`, AND_LOWEST],
    ['newest transaction, with `minBlock`', `${HASH}${newest?.transactionHash}&${minBlock}`],
    ['unknown transaction, with `minBlock`', `${HASH}0x${'7'.repeat(64)}&${minBlock}`],
    ['newest block, with `minBlock`', `${BLOCK}${newest?.blockNumber}&${minBlock}`, AND_LOWEST],
    ['filters that exclude each other', `token-events?creator=${BUSY_WALLET}&from=${BUSY_WALLET}`],
    ['a value that is not a valid address', `token-events?from=${'1'.repeat(44)}`],
    ['busy wallet, a page of one record', `${WALLET}?limit=1`],
    ['all events, a page of one record', 'token-events?limit=1'],
    ['busy wallet, a page of 500 records', `${WALLET}?limit=500`, AND_HIGHEST],
    ['all events, a page of 500 records', 'token-events?limit=500', AND_THEN_LOWEST],
  ]
  return groups.flatMap(([name, path, orders = ['newest']]) =>
    orders.map(order => ({
      name: `${name}; ${order}`,
      request: withParameters(path, ORDERS[order]),
    })),
  )
}

/** Adds the parameters that are not empty. */
export const withParameters = (request: string, ...parameters: string[]): string =>
  parameters
    .filter(parameter => parameter !== '')
    .reduce((all, parameter) => `${all}${all.includes('?') ? '&' : '?'}${parameter}`, request)
