import { randomBytes } from 'node:crypto'
import { takePublisherLease } from '../../../lib/feed/publisher/publisher-lease.ts'
import { createSubscriptionStates } from '../../../lib/feed/publisher/subscription-states.ts'
import { useEngine } from '../../support/store/engine.ts'
import { problemsIn } from '../../support/store/problems-in.ts'
import { storedItems } from '../../support/store/stored-items.ts'

const engine = useEngine()

async function setup() {
  const table = { client: engine.client, tableName: await engine.createEventsTable() }
  return { table, open: () => createSubscriptionStates(table) }
}

const longText = (bytes: number) => randomBytes(bytes).toString('base64')

test('a state is there for whoever reads it next, of whatever length', async () => {
  const { table, open } = await setup()
  for (const text of ['short', longText(1_500_000), longText(700_000), 'short again']) {
    const states = open()
    await states.read('hook')
    await states.write('hook', text)
    expect(await open().read('hook')).toBe(text)
  }

  expect(await open().read('other')).toBeUndefined()
  expect(await storedItems(engine.client, table.tableName)).toHaveLength(1)
})

test('who has not read the newest state cannot write another, and leaves nothing behind', async () => {
  const { table, open } = await setup()
  const [one, other] = [open(), open()]
  for (const states of [one, other]) await states.read('hook')
  await one.write('hook', longText(400_000))
  const late = other.write('hook', longText(400_000))

  await expect(late).rejects.toThrow('Another publisher is serving the subscription hook')
  await one.write('hook', 'once more')
  expect(await open().read('hook')).toBe('once more')
  expect(await storedItems(engine.client, table.tableName)).toHaveLength(1)
})

test('one publisher is at work at a time, and one that has died for as long as its run could have lasted', async () => {
  const { table } = await setup()
  let now = 1_000_000
  const take = () => takePublisherLease({ ...table, holdMs: 300_000, now: () => now })
  const lease = await take()

  expect(lease).toBeDefined()
  expect(await take()).toBeUndefined()
  await lease?.release()
  expect(await take()).toBeDefined()
  now += 299_000
  expect(await take()).toBeUndefined()
  now += 2000
  expect(await take()).toBeDefined()
})

test('what the publisher keeps is nothing that a check of the table minds', async () => {
  const { table, open } = await setup()
  await open().write('hook', longText(400_000))
  await takePublisherLease({ ...table, holdMs: 1000, now: Date.now })

  expect(await problemsIn(table)).toEqual([])
})
