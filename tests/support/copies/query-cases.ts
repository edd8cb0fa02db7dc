import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { makeEvent } from '../records/make-event.ts'

const PAGE = path.resolve(import.meta.dirname, '../../../lib/callers/copies/queries.md')
const [WALLET, OTHER, ZERO] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'0'.repeat(40)}`]
const { address: CONTRACT } = makeEvent('Minted')

/**
 * Returns a section's query, with literals instead of parameters. If the section has several queries, the first is for
 * PostgreSQL and the second for SQLite.
 */
function queryOf(section: string, database: 'PostgreSQL' | 'SQLite'): string {
  const page = readFileSync(PAGE, 'utf8')
  const [, text = ''] = page.split(`## ${section}\n`)
  const [ofSection = ''] = text.split('\n## ')
  const queries = [...ofSection.matchAll(/```sql\n(.*?);\n```/gs)].map(([, query = '']) => query)
  const query = (queries.length > 1 && database === 'SQLite' ? queries[1] : queries[0]) ?? ''
  return query.replace(/(?<!:):(\w+)/g, (_, name) => PARAMETERS[name] ?? name)
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

/** With so many events, a database's planner prefers an index. */
const CROWD = Array.from({ length: 3000 }, (_, index) =>
  transfer(1000 + index, '2024-03-01', {
    address: `0x${(index % 500).toString(16).padStart(40, 'c')}`,
    from: `0x${index.toString(16).padStart(40, 'd')}`,
    to: `0x${index.toString(16).padStart(40, 'e')}`,
    tokenIds: [String(index)],
  }),
)

const moved = { address: CONTRACT, token_id: '7' }
const CASES: [section: string, rows: object[], index: RegExp][] = [
  ['Holdings of a wallet, now', [{ network: 'base', ...moved, quantity: '74' }], /balances_by_owner/],
  [
    'Holdings of a wallet at a block',
    [
      { ...moved, quantity: '70' },
      { ...moved, token_id: '8', quantity: '2' },
    ],
    /transfers_by_receiver.*transfers_by_sender/s,
  ],
  [
    'Holders of a token id',
    [
      { owner: WALLET, quantity: '74' },
      { owner: OTHER, quantity: '26' },
    ],
    /balances_pkey|PRIMARY KEY/,
  ],
  ['Supply of a token id', [{ supply: '100', holders: '2' }], /balances_pkey|PRIMARY KEY/],
  [
    'Received and sent per month',
    [
      { month: '2023-12', ...moved, received: '100', sent: '0' },
      { month: '2023-12', ...moved, token_id: '8', received: '2', sent: '0' },
      { month: '2024-01', ...moved, received: '4', sent: '30' },
      { month: '2024-02', ...moved, received: '9', sent: '9' },
      { month: '2025-01', ...moved, token_id: '8', received: '0', sent: '2' },
    ],
    /transfers_by_receiver.*transfers_by_sender/s,
  ],
  [
    "A year's statement",
    [
      { block_number: '20', quantity: '30', direction: 'out', counterparty: OTHER },
      { block_number: '30', quantity: '4', direction: 'in', counterparty: OTHER },
      { block_number: '40', quantity: '9', direction: 'self', counterparty: WALLET },
    ].map(row => expect.objectContaining({ ...moved, ...row })),
    /transfers_by_receiver.*transfers_by_sender/s,
  ],
  [
    'The ten most traded ids',
    [{ network: 'base', ...moved, trades: '3', receivers: '2' }],
    /transfers_by_token/,
  ],
  [
    'Transfers per month, as bars',
    [
      { month: '2023-12', transfers: '3', bar: '#'.repeat(40) },
      { month: '2024-01', transfers: '2', bar: '#'.repeat(26) },
      { month: '2024-02', transfers: '1', bar: '#'.repeat(13) },
      { month: '2025-01', transfers: '1', bar: '#'.repeat(13) },
    ],
    /transfers_by_token/,
  ],
  [
    'Holdings of a token id over time',
    [
      { block_number: '10', quantity: '50' },
      { block_number: '10', quantity: '100' },
      { block_number: '20', quantity: '70' },
      { block_number: '30', quantity: '74' },
      { block_number: '40', quantity: '74' },
      { block_number: '40', quantity: '74' },
    ].map(row => expect.objectContaining(row)),
    /transfers_by_(receiver|token).*transfers_by_(sender|token)/s,
  ],
  [
    'Who holds a token id, as bars',
    [
      { owner: WALLET, quantity: '74', share: '74', bar: '#'.repeat(37) },
      { owner: OTHER, quantity: '26', share: '26', bar: '#'.repeat(13) },
    ],
    /balances_pkey|PRIMARY KEY/,
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
