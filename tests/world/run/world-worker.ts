/** A process that runs the lives whose seeds it receives. */
import { drawLife } from '../draw-life.ts'
import { live, type Outcome } from '../live.ts'
import { shorten } from '../shorten.ts'

export interface LifeReport extends Pick<Outcome, 'calls' | 'digest' | 'breaches'> {
  seed: number
  tally: [string, number][]
}

export type Order = { live: number } | { shorten: number; law: string }

export type ShortLife = Pick<Outcome, 'story' | 'breaches'>

// Some code is loaded from files when it is first used. This life loads it, so that later lives read no files.
const isReady = live(drawLife(0))

process.on('message', async (order: Order) => {
  await isReady
  process.send?.('live' in order ? await report(order.live) : await tell(order))
})

process.once('disconnect', () => process.exit())

async function report(seed: number): Promise<LifeReport> {
  const { calls, digest, breaches, tally } = await live(drawLife(seed))
  return { seed, calls, digest, breaches, tally: [...tally] }
}

async function tell({ shorten: seed, law }: Extract<Order, { law: string }>): Promise<ShortLife> {
  const { story, breaches } = await live(await shorten(drawLife(seed), law))
  return { story, breaches }
}
