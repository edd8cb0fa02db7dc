import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { type ApiRequest, queryOf, tokenEvents, userEvents } from '../../support/requests/api-request.ts'

const [ALICE, BOB, TOKEN, OTHER] = ['a', 'b', 'c', 'd'].map(digit => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
]
const HASH = `0x${'1a'.repeat(32)}`

interface At {
  network?: Network
  blockNumber?: number
  logIndex?: number
  second?: number
}

const place = ({ network = 'base', blockNumber = 1, logIndex = 0, second = 0 }: At = {}) => ({
  network,
  address: TOKEN,
  blockNumber,
  transactionHash: HASH,
  logIndex,
  createdAt: `2023-06-01T12:00:0${second}.000Z`,
})

const transferAt = (at: At = {}) =>
  makeEvent('TransferSingle', { operator: ALICE, from: ALICE, to: BOB, ...place(at) })
const everyKind: EventRecord[] = [
  makeEvent('Minted', { creator: ALICE, initialOwner: BOB, ...place() }),
  makeEvent('MintedBatch', { token: OTHER, owner: ALICE, ...place() }),
  transferAt(),
  makeEvent('OwnershipTransferred', { previousOwner: ALICE, newOwner: BOB, ...place() }),
]

const page = (records: EventRecord[], request: ApiRequest): EventRecord[] =>
  validAnswer(records, request).events

const kindsOf = (request: ApiRequest) => page(everyKind, request).map(({ event }) => event)

test.each([
  ['alice, in one part of each event', userEvents(ALICE), everyKind.map(({ event }) => event)],
  ['bob', userEvents(BOB), ['Minted', 'TransferSingle', 'OwnershipTransferred']],
  ['the contract that emitted the logs', userEvents(TOKEN), []],
  ['the token of a minted batch', userEvents(OTHER), []],
  ['a network', userEvents(ALICE, [['network', 'polygon']]), []],
  ['owner', tokenEvents([['owner', ALICE]]), ['MintedBatch']],
  ['owner, who was given the contract', tokenEvents([['owner', BOB]]), ['OwnershipTransferred']],
  ['creator, in capitals', tokenEvents([['creator', `0x${'A'.repeat(40)}`]]), ['Minted']],
  ['initial owner', tokenEvents([['initialOwner', BOB]]), ['Minted']],
  ['the token of a minted batch as address', tokenEvents([['address', OTHER]]), []],
  ['creator and from', tokenEvents(['creator', 'from'].map(name => [name, ALICE])), []],
  ['a block, and a direction', tokenEvents(['1', 'asc'].map(value => ['blockNumber', value])), 4],
  ['another block', tokenEvents([['blockNumber', '002']]), []],
  ['a transaction in capitals', tokenEvents([['transactionHash', `0x${'1A'.repeat(32)}`]]), 4],
  ['two kinds', tokenEvents([['event', 'Minted,OwnershipTransferred']]), ['Minted', 'OwnershipTransferred']],
  ['a second', tokenEvents(span('2023-06-01T12:00:00Z', '2023-06-01T12:00:00Z')), 4],
  ['the time before it', tokenEvents([['toTime', '2023-06-01T11:59:59.999Z']]), []],
  ['the time behind it', tokenEvents([['fromTime', '2023-06-01T12:00:00.001Z']]), []],
  ['a user of any role', tokenEvents([['user', BOB]]), ['Minted', 'TransferSingle', 'OwnershipTransferred']],
  ['a value that no address equals', tokenEvents([['to', 'x'.repeat(40)]]), []],
])('matches %s', (_, request, expected) => {
  const kinds = kindsOf(request)

  expect(typeof expected === 'number' ? kinds.length : kinds).toEqual(expected)
})

const placed: EventRecord[] = [
  transferAt({ second: 1, blockNumber: 9, network: 'polygon', logIndex: 0 }),
  transferAt({ second: 2, blockNumber: 9, network: 'arbitrum', logIndex: 2 }),
  transferAt({ second: 2, blockNumber: 9, network: 'arbitrum', logIndex: 10 }),
  transferAt({ second: 2, blockNumber: 9, network: 'bnb-chain', logIndex: 1 }),
  transferAt({ second: 2, blockNumber: 10, network: 'base', logIndex: 0 }),
  transferAt({ second: 3, blockNumber: 1, network: 'base', logIndex: 0 }),
]

test.each<[string, ApiRequest['query'], number[]]>([
  ['newest first when nothing is given', [], [5, 4, 3, 2, 1, 0]],
  ['createdAt=desc', [['createdAt', 'desc']], [5, 4, 3, 2, 1, 0]],
  ['createdAt=asc', [['createdAt', 'asc']], [0, 1, 2, 3, 4, 5]],
  ['blockNumber=asc', [['blockNumber', 'asc']], [5, 1, 2, 3, 0, 4]],
  ['blockNumber=desc', [['blockNumber', 'desc']], [4, 0, 3, 2, 1, 5]],
  ['both, in opposite directions', directions('desc', 'asc'), [5, 1, 2, 3, 4, 0]],
  ['both, the other way round', directions('asc', 'desc'), [0, 4, 3, 2, 1, 5]],
  ['the block named first', directions('asc', 'desc').toReversed(), [0, 4, 3, 2, 1, 5]],
  ['both alike', directions('asc', 'asc'), [0, 1, 2, 3, 4, 5]],
])('sorts by %s', (_, query, expected) => {
  expect(page(placed, tokenEvents(query)).map(record => placed.indexOf(record))).toEqual(expected)
})

function directions(createdAt: string, blockNumber: string): ApiRequest['query'] {
  return queryOf(`createdAt=${createdAt}&blockNumber=${blockNumber}`)
}

const many = Array.from({ length: 600 }, (_, logIndex) => transferAt({ logIndex }))

test.each<[ApiRequest['query'], number, number, boolean]>([
  [[], 599, 50, true],
  [[['limit', '600']], 599, 500, true],
  [[['limit', '9'.repeat(40)]], 599, 500, true],
  [[['skip', '100']], 499, 50, true],
  [[['skip', '0100']], 499, 50, true],
  [[['skip', '599']], 0, 1, false],
  [[['skip', '550']], 49, 50, false],
])('slices as %j says', (query, first, length, more) => {
  expect(answer(many, tokenEvents(query))).toMatchObject({
    events: Array.from({ length }, (_, index) => many[first - index]),
    more,
  })
})

test('slices off everything when more is skipped than there is', () => {
  expect(answer(many, tokenEvents([['skip', '600']]))).toMatchObject({ events: [], more: false })
})

const LONG = 'x'.repeat(66)

test.each<[string, ApiRequest, string[]]>([
  ['a short path address', userEvents('x'.repeat(41)), ['address']],
  ['a path address of any greater length', userEvents('x'.repeat(3000)), []],
  [
    'addresses out of bounds',
    tokenEvents(lengths({ from: 34, to: 56, owner: 35, creator: 55 })),
    ['from', 'to'],
  ],
  ['hashes out of bounds', tokenEvents(lengths({ transactionHash: 65 })), ['transactionHash']],
  ['a long hash', tokenEvents([['transactionHash', `${LONG}${LONG}`]]), []],
  ['networks on both endpoints', tokenEvents([['network', 'base,polygon']]), []],
  ['a network that is none', userEvents(ALICE, [['network', 'base,bsc']]), ['network']],
  ['what every object has', userEvents(ALICE, [['toString', '1']]), ['toString']],
  ['blocks out of bounds', tokenEvents([['blockNumber', '100000001']]), ['blockNumber']],
  ['two directions', tokenEvents(['asc', 'asc'].map(value => ['blockNumber', value])), ['blockNumber']],
  ['two filters', tokenEvents(['1', '2'].map(value => ['blockNumber', value])), ['blockNumber']],
  ['a repeated kind', tokenEvents(['Minted', 'Minted'].map(value => ['event', value])), []],
  ['an empty kind', tokenEvents([['event', 'Minted,']]), ['event']],
  ['ten addresses', tokenEvents([['address', tokens(10)]]), []],
  ['eleven addresses', tokenEvents([['address', tokens(11)]]), ['address']],
  ['ends of a span', tokenEvents(span('2024-04-01', '2024-04-01')), []],
  ['a swapped span', tokenEvents(span('2024-04-01T00:00:00.5Z', '1711929600')), ['fromTime']],
  ['a time without zone', tokenEvents(span('2024-04-01T00:00:00', '2024')), ['fromTime', 'toTime']],
  ['too great a skip', tokenEvents([['skip', '9007199254740992']]), ['skip']],
  ['nothing wanted', tokenEvents([['limit', '00']]), ['limit']],
])('judges %s', (_, request, expected) => {
  const answered = answer([], request)

  expect(answered.status === 400 ? answered.parameters : []).toEqual(expected)
})

function span(fromTime: string, toTime: string): ApiRequest['query'] {
  return [
    ['fromTime', fromTime],
    ['toTime', toTime],
  ]
}

function tokens(count: number): string {
  return Array.from({ length: count }, (_, index) => `0x${String(index).padStart(40, '0')}`).join(',')
}

function lengths(values: Record<string, number>): ApiRequest['query'] {
  return Object.entries(values).map(([name, length]) => [name, 'x'.repeat(length)])
}

test('knows every network', () => {
  const requests = NETWORKS.map(network => userEvents(ALICE, [['network', network]]))

  expect(requests.map(request => answer([], request).status)).toEqual(NETWORKS.map(() => 200))
})

test.each([
  [userEvents(ALICE), []],
  [userEvents(`${ALICE}0`, [['transactionHash', HASH]]), ['address']],
  [tokenEvents([['from', ALICE.slice(1)]]), ['from']],
  [
    tokenEvents(
      `transactionHash=${HASH}0&from=${ALICE.toUpperCase()}&creator=${ALICE}0&address=${ALICE}0,${BOB}0`,
    ),
    ['address', 'creator', 'transactionHash'],
  ],
  [tokenEvents([['address', `${ALICE}0,${BOB}`]]), []],
])('of %j no event can have what is named: %j', (request, unmatchable) => {
  expect(validAnswer(everyKind, request).unmatchable).toEqual(unmatchable)
})
