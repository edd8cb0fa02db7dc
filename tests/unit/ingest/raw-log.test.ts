import { parseRawLog } from '../../../lib/chain/logs/raw-log.ts'

const HASH = `0x${'aB'.repeat(32)}`

const makeLog = (overrides: Record<string, unknown> = {}) => ({
  network: 'polygon',
  address: `0x${'Cd'.repeat(20)}`,
  topics: [HASH],
  data: '0xFF',
  blockNumber: 13_522_239,
  blockHash: HASH,
  blockTimestamp: 1_618_949_510,
  transactionHash: HASH,
  logIndex: 18,
  ...overrides,
})

const parsed = (value: unknown) => {
  const result = parseRawLog(value)
  if ('rejection' in result) throw new Error(result.rejection.reason)
  return result.log
}

const reasonOf = (value: unknown) => {
  const result = parseRawLog(value)
  return 'rejection' in result ? result.rejection.reason : 'none'
}

describe('reading a log', () => {
  const inLowerCase = {
    ...{ address: `0x${'cd'.repeat(20)}`, topics: [HASH.toLowerCase()], data: '0xff' },
    ...{ blockHash: HASH.toLowerCase(), transactionHash: HASH.toLowerCase() },
  }
  const inHex = { blockNumber: '0xce54ff', blockTimestamp: '0x607F3486', logIndex: '0x0012' }
  const most = { blockNumber: 999_999_999_999, blockTimestamp: 253_402_300_799, logIndex: 4_294_967_295 }
  const least = { blockNumber: 0, blockTimestamp: 0, logIndex: 0 }

  it.each([
    ['hex of any letter case, in lower case', {}, inLowerCase],
    [
      'integers of 0x strings',
      inHex,
      { blockNumber: 13_522_175, blockTimestamp: 1_618_949_254, logIndex: 18 },
    ],
    ['the highest integers', most, most],
    ['the lowest integers', least, least],
    ['no fields that it does not know', { source: 'a node', transactionIndex: '0x1' }, {}],
    ['a log that no reorganisation has removed', { removed: false }, { removed: false }],
  ])('gives %s', (_, overrides, expected) => {
    expect(parsed(makeLog(overrides))).toEqual({ ...makeLog(), ...inLowerCase, ...expected })
  })

  it.each([
    ['digits, which could be hex without 0x', { blockNumber: '10' }, 'blockNumber must be an integer'],
    ['a fraction', { logIndex: 1.5 }, 'logIndex must be an integer from 0 to 4294967295'],
    ['a negative number', { logIndex: -1 }, 'logIndex must be an integer'],
    ['an empty 0x string', { blockNumber: '0x' }, 'blockNumber must be an integer'],
    ['a block number beyond what places hold', { blockNumber: 1e12 }, 'blockNumber must be an integer'],
    ['a time in milliseconds', { blockTimestamp: 1_618_949_510_000 }, 'blockTimestamp must be an integer'],
    ['a log that is in no block yet', { blockNumber: null }, 'blockNumber must be an integer'],
    ['no block hash', { blockHash: undefined }, 'blockHash is missing'],
    ['a network that is not served', { network: 'solana' }, 'network must be one of arbitrum, '],
    ['an address that is too short', { address: '0x12' }, 'address must be 0x and 40 hex digits'],
    ['a topic that is not 32 bytes', { topics: [HASH, '0x'] }, 'topics[1] must be 0x and 64 hex digits'],
    ['five topics', { topics: Array(5).fill(HASH) }, 'topics must be a list of at most 4'],
    ['topics that are no list', { topics: HASH }, 'topics must be a list'],
    ['half a byte of data', { data: '0xabc' }, 'data must be 0x and an even number of hex digits'],
    ['data that is not hex', { data: '0xgg' }, 'data must be'],
    ['data without 0x', { data: 'ff' }, 'data must be'],
    ['a log that a reorganisation removed', { removed: true }, 'removed is set'],
  ])('rejects %s', (_, overrides, reason) => {
    expect(reasonOf(makeLog(overrides))).toContain(reason)
  })

  it('names every problem', () => {
    expect(reasonOf(makeLog({ network: 'x', address: 1 }))).toMatch(/^network must be .*; address must be /)
  })

  it.each([[null], [[]], ['0x'], [1]])('rejects %j, which is no object', value => {
    expect(reasonOf(value)).toBe('a log must be a JSON object')
  })

  it('reads data of millions of digits', () => {
    const data = `0x${'ab'.repeat(8_000_000)}`
    expect(parsed(makeLog({ data })).data).toHaveLength(data.length)
  })
})
