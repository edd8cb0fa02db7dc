import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { encodeCursor } from '../../../lib/query/cursor.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const address = `0x${'7e'.repeat(20)}`
/** All blocks have the same time. */
const [lowest, middle, highest] = [1, 2, 3].map(blockNumber =>
  makeEvent('Minted', { address, blockNumber, transactionHash: `0x${String(blockNumber).repeat(64)}` }),
) as [EventRecord, EventRecord, EventRecord]
const served = useServedEvents(engine, [lowest, middle, highest])

const inputWith = (parameters: Record<string, string | undefined>) => ({
  endpoint: 'token-events' as const,
  parameters: Object.entries({ address, finalized: 'true', ...parameters }).filter(
    (each): each is [string, string] => each[1] !== undefined,
  ),
})

/** `finality` has the last final block of each network that the indexes know of when the page is read. */
const ask = (finality: [Network, number][], parameters: Record<string, string | undefined>) =>
  answerQuery(inputWith(parameters), { store: served.store, finalThrough: new Map(finality) })

test('while indexing that was restarted is behind an earlier page, the walk keeps what was final and does not end', async () => {
  const page = (finality: [Network, number][], cursor?: string) =>
    ask(finality, { blockNumber: 'asc', limit: '1', cursor })

  const first = await page([['base', 3]])
  const second = await page([], first.next)
  const third = await page([['base', 1]], second.next)

  expect([first, second, third].flatMap(({ records }) => records)).toEqual([lowest, middle, highest])
  await expect(page([['base', 1]], third.next)).rejects.toThrow(StoreUnavailableError)
  expect(await page([['base', 3]], third.next)).toMatchObject({ records: [], next: undefined })
})

test('what becomes final at the end of a walk does not follow what it precedes', async () => {
  const order = { createdAt: 'asc', blockNumber: 'desc' }
  const { query, queryKey } = parseQuery(inputWith(order))
  const known = encodeCursor({ from: undefined, skip: 0, finalThrough: { polygon: 9 } }, queryKey)
  const page = await ask([['base', middle.blockNumber]], { ...order, cursor: known })
  const end: [Network, number][] = [
    ['base', highest.blockNumber],
    ['polygon', 9],
  ]

  expect(query.order).toEqual({ by: 'time', direction: 'asc', ties: 'desc' })
  expect(page).toMatchObject({ records: [middle, lowest], isPartial: true })
  expect(await ask(end, { ...order, cursor: page.next })).toMatchObject({ records: [], next: undefined })
})
