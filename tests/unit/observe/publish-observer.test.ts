import { createPublishObserver } from '../../../lib/feed/publisher/create-publish-observer.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'
import { publishOnce, statesInMemory, subscriptionOf } from '../../support/publisher/publish-once.ts'

async function linesOf(states: Partial<ReturnType<typeof statesInMemory>>) {
  const [served] = await publishOnce({
    subscriptions: [subscriptionOf({ to: 'https://hooks.example/' })],
    feed: { read: async () => ({ changes: [], next: 'end', isPartial: false, isUpToDate: true }) },
    states: { ...statesInMemory(), ...states },
  })
  if (!served) throw new Error('The run has served nothing')
  return printedLines(() => createPublishObserver().served(served))
}

test('the lag of a subscription is reported only if its state could be read', async () => {
  const fail = () => Promise.reject(new Error('broken'))

  expect(await linesOf({})).toMatchObject([
    { message: 'served', lagSeconds: expect.any(Number) },
    { subscription: 'test', PublishLag: expect.any(Number), SubscriptionsEnded: 0 },
  ])
  const [line, metrics] = await linesOf({ read: fail })
  expect(line).toMatchObject({ message: 'publishing failed', error: { message: 'broken' } })
  expect(line).not.toHaveProperty('lagSeconds')
  expect(metrics).toMatchObject({ subscription: 'test', SubscriptionsEnded: 0 })
  expect(metrics).not.toHaveProperty('PublishLag')
})
