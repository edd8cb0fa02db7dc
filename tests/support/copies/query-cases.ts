import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { codeIn } from '../programs/readme-recipes.ts'
import { makeEvent } from '../records/make-event.ts'

const PAGE = path.resolve(import.meta.dirname, '../../../lib/callers/copies/queries.md')
const [WALLET, OTHER, ZERO] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'0'.repeat(40)}`]
const { address: CONTRACT } = makeEvent('Minted')

/**
 * Returns a section's query, with literals instead of parameters. If the section has several queries, the first is for
 * PostgreSQL and the second for SQLite.
 */
function queryOf(section: string, database: 'PostgreSQL' | 'SQLite'): string {
  const [first = '', second = first] = codeIn('lib/callers/copies/queries.md', 'sql', section)
  return (database === 'SQLite' ? second : first)
    .trimEnd()
    .replace(/;$/, '')
    .replace(/(?<!:):(\w+)/g, (_, name) => PARAMETERS[name] ?? name)
}

const PARAMETERS: Record<string, string> = {
  wallet: `'${WALLET}'`,
  contract: `'${CONTRACT}'`,
  network: "'base'",
  token: '7',
  block: '20',
  from: "'2024-01-01T00:00:00.000Z'",
  to: "'2025-01-01T00:00:00.000Z'",
}

const transfer = (blockNumber: number, createdAt: string, moved: object): EventRecord =>
  makeEvent('TransferBatch', {
    blockNumber,
    logIndex: blockNumber,
    createdAt: `${createdAt}T00:00:00.000Z`,
    tokenIds: ['7'],
    quantities: ['1'],
    ...moved,
  })

const RECORDS = [
  transfer(10, '2023-12-31', {
    from: ZERO,
    to: WALLET,
    tokenIds: ['7', '8', '7'],
    quantities: ['50', '2', '50'],
  }),
  transfer(20, '2024-01-01', { from: WALLET, to: OTHER, quantities: ['30'] }),
  transfer(30, '2024-01-31', { from: OTHER, to: WALLET, quantities: ['4'] }),
  transfer(40, '2024-02-01', { from: WALLET, to: WALLET, quantities: ['9'] }),
  transfer(50, '2025-01-01', { from: WALLET, to: ZERO, tokenIds: ['8'], quantities: ['2'] }),
]

/** So many events that a database's planner prefers an index. */
const CROWD = Array.from({ length: 3000 }, (_, index) =>
  transfer(1000 + index, '2024-03-01', {
    address: `0x${(index % 500).toString(16).padStart(40, 'c')}`,
    from: `0x${index.toString(16).padStart(40, 'd')}`,
    to: `0x${index.toString(16).padStart(40, 'e')}`,
    tokenIds: [String(index)],
  }),
)

/** Each line has the values of one row, in the order of the columns. */
const rowsOf = (columns: string, ...lines: string[]) =>
  lines.map(line => {
    const values = line.split(' ')
    return Object.fromEntries(columns.split(' ').map((column, at) => [column, values[at]]))
  })

const bar = (length: number) => '#'.repeat(length)
const of7 = { address: CONTRACT, token_id: '7' }
const BY_KEY = /balances_pkey|PRIMARY KEY/
const BY_PARTY = /transfers_by_receiver.*transfers_by_sender/s

const CASES: [section: string, rows: object[], index: RegExp][] = [
  ['Holdings of a wallet, now', [{ network: 'base', ...of7, quantity: '74' }], /balances_by_owner/],
  [
    'Holdings of a wallet at a block',
    rowsOf('address token_id quantity', `${CONTRACT} 7 70`, `${CONTRACT} 8 2`),
    BY_PARTY,
  ],
  ['Holders of a token id', rowsOf('owner quantity', `${WALLET} 74`, `${OTHER} 26`), BY_KEY],
  ['Supply of a token id', rowsOf('supply holders', '100 2'), BY_KEY],
  [
    'Received and sent per month',
    rowsOf(
      'month token_id received sent address',
      ...['2023-12 7 100 0', '2023-12 8 2 0', '2024-01 7 4 30', '2024-02 7 9 9', '2025-01 8 0 2'].map(
        line => `${line} ${CONTRACT}`,
      ),
    ),
    BY_PARTY,
  ],
  [
    "A year's statement",
    rowsOf(
      'block_number quantity direction counterparty',
      ...[`20 30 out ${OTHER}`, `30 4 in ${OTHER}`, `40 9 self ${WALLET}`],
    ).map(row => expect.objectContaining({ ...of7, ...row })),
    BY_PARTY,
  ],
  [
    'The ten most traded ids',
    [{ network: 'base', ...of7, trades: '3', receivers: '2' }],
    /transfers_by_token/,
  ],
  [
    'Transfers per month, as bars',
    rowsOf(
      'month transfers bar',
      ...[`2023-12 3 ${bar(40)}`, `2024-01 2 ${bar(26)}`, `2024-02 1 ${bar(13)}`, `2025-01 1 ${bar(13)}`],
    ),
    /transfers_by_token/,
  ],
  [
    'Holdings of a token id over time',
    rowsOf('block_number quantity', '10 50', '10 100', '20 70', '30 74', '40 74', '40 74').map(row =>
      expect.objectContaining(row),
    ),
    /transfers_by_(receiver|token).*transfers_by_(sender|token)/s,
  ],
  [
    'Who holds a token id, as bars',
    rowsOf('owner quantity share bar', `${WALLET} 74 74 ${bar(37)}`, `${OTHER} 26 26 ${bar(13)}`),
    BY_KEY,
  ],
]

export function describeQueries(newTarget: () => Promise<string>, database: 'PostgreSQL' | 'SQLite'): void {
  test.each(CASES)('%s: the query on the page finds these rows by an index', async (section, rows, index) => {
    const copy = await openCopy(await newTarget(), { source: 'a service' })
    const changes = [...RECORDS, ...CROWD].map(record => ({ change: 'added' as const, record }))
    await copy.apply({ changes, next: 'all', isUpToDate: true }, { after: undefined })
    if (database === 'PostgreSQL') await copy.read('ANALYZE')

    const query = queryOf(section, database)
    expect(await copy.read(query)).toEqual(rows)
    const plan = await copy.read(`${database === 'SQLite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${query}`)
    expect(plan.map(line => Object.values(line).join(' ')).join('\n')).toMatch(index)
    await copy.close()
  })

  test('every query of the page has a case here', () => {
    const sections = [...readFileSync(PAGE, 'utf8').matchAll(/^## (.*)$/gm)].map(([, section]) => section)
    expect(sections).toEqual(CASES.map(([section]) => section))
  })
}
