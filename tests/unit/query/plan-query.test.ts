import { NETWORKS } from '../../../lib/events/networks.ts'
import { blockSpan, placesBetween } from '../../../lib/events/place.ts'
import { describePlan } from '../../../lib/inspect/describe-plan.ts'
import { meetsAll } from '../../../lib/query/condition.ts'
import type { Endpoint } from '../../../lib/query/endpoints.ts'
import { FILTERS } from '../../../lib/query/filters.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { type ListChoice, type Plan, planQuery } from '../../../lib/query/plan-query.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const { jest } = import.meta
const A = `0x${'a'.repeat(40)}`
const B = `0x${'b'.repeat(40)}`
const T = `0x${'7'.repeat(40)}`
const H = `0x${'4'.repeat(64)}`
const VALUES: Record<string, string> = { A, B, T, H }

/** In the requests and plans below, these letters stand for addresses and a hash. */
const parametersOf = (query: string) => [
  ...new URLSearchParams(query.replace(/\b[ABTH]\b/g, name => VALUES[name] ?? '')),
]
const described = (plan: Plan) =>
  describePlan(plan).map(line => line.replace(/0x\w{40,}/g, value => nameOf.get(value) ?? value))
const nameOf = new Map(Object.entries(VALUES).map(([name, value]) => [value, name]))

function planOf(request: string): string[] {
  const [path = '', query = ''] = request.split('?')
  const [endpoint, user] = path.split('/')
  const input = { endpoint: endpoint as Endpoint, parameters: parametersOf(query), ...(user && { user: A }) }
  return described(parseQuery(input).plan)
}

const TEN_TOKENS = Array.from({ length: 10 }, (_, at) => `${B.slice(0, -1)}${at}`)
const COMPETING =
  'read 2 competing lists, desc, starting each call at the furthest place that any list has reached:'
const NO_KIND = 'read nothing: no kind of event can match all filters'
const NO_SECOND = 'read nothing: the time span contains no whole second'

test.each<[string, ...plan: string[]]>([
  ['user-events/A', 'read user#A, desc'],
  ['user-events/A?event=Minted', 'read user#A#Minted, desc'],
  ['user-events/A?network=base', 'read user#A on base, desc'],
  ['user-events/A?network=base&blockNumber=asc', 'read user#A on base, asc'],
  ['token-events?address=T', 'read token#T, desc'],
  ['token-events?from=A&createdAt=asc', 'read user#A#from, asc'],
  ['token-events?creator=A&event=Minted', 'read user#A#creator, desc'],
  ['token-events?owner=A&event=MintedBatch', 'read user#A#MintedBatch, desc'],
  [
    'token-events?creator=A&address=T',
    COMPETING,
    '  user#A#creator, keeping rows with address = T',
    '  token#T#Minted, keeping rows with creator = A',
  ],
  [
    'token-events?owner=A&event=OwnershipTransferred',
    COMPETING,
    '  user#A#owner, keeping rows with event = OwnershipTransferred',
    '  user#A#OwnershipTransferred, keeping rows with newOwner = A',
  ],
  [
    'token-events?event=Minted',
    `merge ${NETWORKS.length} networks by createdAt, desc; for each network:`,
    '  read all#Minted, desc',
  ],
  ['token-events?transactionHash=H', 'read transaction#H, desc'],
  [
    'user-events/A?blockNumber=7&event=MintedBatch',
    COMPETING,
    '  block#7, keeping rows with owner = A and event = MintedBatch',
    '  user#A#MintedBatch, keeping rows with blockNumber = 7',
  ],
  [
    'token-events?blockNumber=7&blockNumber=asc',
    'read the networks one after another, ordered by block number and then by network name:',
    '  read block#7, asc',
  ],
  [
    'token-events?address=T&createdAt=desc&blockNumber=asc',
    "reverse each group of records with equal createdAt, so that the group's order is asc:",
    '  read token#T, desc',
  ],
  ['token-events?address=T&createdAt=asc&blockNumber=asc', 'read token#T, asc'],
  [
    'token-events?address=T&fromTime=5&toTime=1970-01-01',
    'read token#T from place 000000000005# to 000000086399#~, desc',
  ],
  ['token-events?toTime=1969-12-31', NO_SECOND],
  ['token-events?address=T&fromTime=2024-04-01T00:00:00.20Z&toTime=2024-04-01T00:00:00.2Z', NO_SECOND],
  [
    'user-events/A?event=TransferBatch,Minted',
    'merge 2 parts by createdAt, desc:',
    '  read user#A#Minted, desc',
    '  read user#A#TransferBatch, desc',
  ],
  [
    'user-events/A?network=polygon,base',
    'merge 2 networks by createdAt, desc; for each network:',
    '  read user#A, desc',
  ],
  [`user-events/A?network=${NETWORKS.join()}`, 'read user#A, desc'],
  ['token-events?from=A&event=TransferSingle,TransferBatch,Minted', 'read user#A#from, desc'],
  [
    'token-events?address=T&user=A',
    COMPETING,
    '  user#A, keeping rows with address = T',
    '  token#T, keeping rows with creator or initialOwner or owner or operator or from or to or previousOwner or newOwner = A',
  ],
  [
    `token-events?event=Minted,MintedBatch,TransferSingle&address=${TEN_TOKENS}`,
    'merge 10 parts by createdAt, desc:',
    ...TEN_TOKENS.map(
      token =>
        `  read token#${token}, keeping rows with event = Minted or MintedBatch or TransferSingle, desc`,
    ),
  ],
  [
    'token-events?transactionHash=H&network=base,polygon&address=T,A',
    'read transaction#H, keeping rows with address = T or A and network = base or polygon, desc',
  ],
  ['user-events/A?network=base&minBlock=base:5', 'read user#A on base, consistently, desc'],
  [
    'token-events?address=T&minBlock=base:5',
    `merge ${NETWORKS.length} parts by createdAt, desc:`,
    ...NETWORKS.map(name => `  read token#T on ${name}${name === 'base' ? ', consistently' : ''}, desc`),
  ],
  ['token-events?creator=A&from=B', NO_KIND],
  ['token-events?event=Minted&owner=A', NO_KIND],
  [`token-events?from=${'1'.repeat(44)}`, 'read nothing: one of the values is not a valid address or hash'],
])('%s is answered by: %s', (request, ...plan) => {
  expect(planOf(request)).toEqual(plan)
})

describe('a query for a transaction of which an index may lack events is answered from', () => {
  const block = { seconds: 5, blockNumber: 7, network: 'polygon', logIndex: 3 } as const
  const late = placesBetween({ from: { seconds: 9, blockNumber: 12 }, to: { seconds: 9, blockNumber: 14 } })
  const ofBlock = `from place ${blockSpan(block).first} to ${blockSpan(block).last}`
  const ofLate = `from place ${late.first} to ${late.last}`

  test.each<[string, string, ...plan: string[]]>([
    [
      'its blocks in the index and the places elsewhere',
      'transactionHash=H',
      'merge 2 parts by createdAt, desc:',
      `  read transaction#H on polygon ${ofBlock}, desc`,
      `  read all, keeping rows with transactionHash = H on base ${ofLate}, consistently, desc`,
    ],
    [
      'the same in the order of blocks',
      'transactionHash=H&blockNumber=asc',
      'merge 2 parts by blockNumber, asc:',
      `  read transaction#H on polygon ${ofBlock}, asc`,
      `  read all, keeping rows with transactionHash = H on base ${ofLate}, consistently, asc`,
    ],
    [
      'narrower lists where there are some',
      'transactionHash=H&network=base&address=T',
      'merge 1 networks by createdAt, desc; for each network:',
      `  read token#T, keeping rows with transactionHash = H ${ofLate}, consistently, desc`,
    ],
  ])('%s', (_name, request, ...plan) => {
    const { query } = parseQuery({ endpoint: 'token-events', parameters: parametersOf(request) })
    const runs = { settled: [block], unsettled: new Map([['base' as const, late]]) }

    expect(described(planQuery(query, { runs }))).toEqual(plan)
  })
})

describe('events of a kind in which a filter reads no field', () => {
  afterEach(() => jest.restoreAllMocks())

  test.each<[string, 'finalized' | 'fromBlock', object]>([
    ['its own test', 'finalized', { ...FILTERS.finalized }],
    ['no test, because the list implies it', 'fromBlock', { ...FILTERS.fromBlock, isImplied: () => true }],
  ])('never match, though the filter has %s', (_, name, row) => {
    jest.replaceProperty(FILTERS, name, { ...row, fields: { TransferSingle: ['blockNumber'] } } as never)
    const parameters = parametersOf(`operator=A&${name}=${name === 'finalized' ? 'true' : '1'}`)
    const { query } = parseQuery({ endpoint: 'token-events', parameters })
    const plan = planQuery(query, { finalThrough: new Map(NETWORKS.map(network => [network, 10 ** 9])) })
    const ofRole = listsIn(plan).filter(({ list }) => list.of === 'user' && list.role === 'operator')

    expect(ofRole.length).toBeGreaterThan(0)
    for (const { where } of ofRole) {
      expect(meetsAll(makeEvent('TransferSingle', { operator: A }), where)).toBe(true)
      expect(meetsAll(makeEvent('TransferBatch', { operator: A }), where)).toBe(false)
    }
  })

  const listsIn = (plan: Plan): ListChoice[] => {
    if (plan.read === 'lists') return plan.lists
    if (plan.read === 'merge') return plan.parts.flatMap(listsIn)
    return plan.read === 'nothing' ? [] : listsIn(plan.source)
  }
})
