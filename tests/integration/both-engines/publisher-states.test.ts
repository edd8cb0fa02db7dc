import { randomBytes } from 'node:crypto'
import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import { takePublisherLease } from '../../../lib/feed/publisher/publisher-lease.ts'
import { StateUnavailableError } from '../../../lib/feed/publisher/subscription-state.ts'
import { createSubscriptionStates } from '../../../lib/feed/publisher/subscription-states.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'
import { problemsIn } from '../../support/store/problems-in.ts'
import { storedItems } from '../../support/store/stored-items.ts'

const { jest } = import.meta
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

  await expect(late).rejects.toThrow('Another publisher is serving the subscription "hook"')
  await one.write('hook', 'once more')
  expect(await open().read('hook')).toBe('once more')
  expect(await storedItems(engine.client, table.tableName)).toHaveLength(1)
})

test('a publisher whose write was stored, but not answered, is not taken for another one', async () => {
  const { table, open } = await setup()
  const client = localClient(engine.endpoint)
  let isLost = true
  client.middlewareStack.add(next => async args => {
    const answer = await next(args)
    if (isLost && 'ConditionExpression' in args.input) throw new Error('The answer was lost')
    return answer
  })
  const states = createSubscriptionStates({ ...table, client })
  for (const text of [longText(400_000), 'short']) {
    isLost = true
    await expect(states.write('hook', longText(400_000))).rejects.toThrow('lost')
    await expect(states.write('hook', text)).rejects.toThrow('lost')
    isLost = false
    await states.write('hook', text)
    expect(await open().read('hook')).toBe(text)
  }
  client.destroy()

  expect(await storedItems(engine.client, table.tableName)).toHaveLength(1)
})

test('a state that the table is too busy to store is unavailable for the moment, so the publisher waits', async () => {
  const { table } = await setup()
  const client = localClient(engine.endpoint)
  const busy = new ProvisionedThroughputExceededException({ $metadata: {}, message: 'Too many writes' })
  client.middlewareStack.add(() => () => Promise.reject(busy), { step: 'initialize' })
  // The pauses between attempts are random, and now take no time.
  const random = jest.spyOn(Math, 'random').mockReturnValue(0)
  const written = createSubscriptionStates({ ...table, client }).write('hook', 'a')

  await expect(written).rejects.toThrow(StateUnavailableError)
  await expect(written).rejects.toThrow(/^The progress cannot be stored at the moment: The table /)
  random.mockRestore()
  client.destroy()
})

test('one publisher is at work at a time, and one that has died for as long as its run could have lasted', async () => {
  const { table, open } = await setup()
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
  await open().write('hook', longText(400_000))
  // A check of the table accepts the items that the publisher stores.
  expect(await problemsIn(table)).toEqual([])
})
