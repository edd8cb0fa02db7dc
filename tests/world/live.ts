import './gate/virtual-globals.ts'
import { act, changeMood } from './act.ts'
import { useFiles } from './actors/copies/sim-sqlite.ts'
import { endLife } from './end-life.ts'
import { StuckError } from './gate/gate.ts'
import { enterWorld } from './gate/virtual-globals.ts'
import { judge } from './laws.ts'
import type { Life } from './life.ts'
import { watchWrites } from './watch-writes.ts'
import { type Breach, breach, createWorld, type World } from './world.ts'

export interface Outcome {
  life: Life
  /** The broken laws. */
  breaches: readonly Breach[]
  /** The number of calls that passed the gate. */
  calls: number
  /** The digest of everything that has happened. Equal for two lives that were the same to the last call. */
  digest: string
  /** What has happened, line by line, if it was asked for. */
  story: readonly string[]
  tally: ReadonlyMap<string, number>
}

/** A life with more steps goes in circles. */
const MOST_STEPS = 60_000

/** Lives a life. The same life always has the same outcome. */
export async function live(life: Life, options: { tellsStory?: boolean } = {}): Promise<Outcome> {
  const world = createWorld(life, options)
  world.onEnd = job => judge(world, law => law.atEnd?.(world, job))
  const { gate, service, readers, breaches, tally } = world
  const receiverAt = (url: URL) =>
    [...readers.values()].find(({ receiver }) => receiver.url === url.href)?.receiver
  enterWorld({
    gate,
    fetch: service.fetch,
    request: (url: URL, asked: never) => receiverAt(url)?.request(asked),
  })
  useFiles({ gate, databases: new Map() })
  watchWrites(world)
  try {
    await spend(world)
    await endLife(world)
  } catch (error) {
    breach(
      world,
      'The world does not stand still, and nothing in it goes in circles.',
      String((error as Error).stack),
    )
  } finally {
    useFiles(undefined)
    enterWorld(undefined)
  }
  return { life, breaches, calls: gate.calls, digest: gate.digest(), story: gate.story, tally }
}

/** Lets the conductor's actions and the calls of all programs happen in turn. */
async function spend(world: World): Promise<void> {
  const { gate, life, random } = world
  if (life.startsDishonest)
    for (const network of world.networks.values())
      for (const node of network.sims.slice(0, random.pick([1, 1, 3])))
        changeMood(node, { world, network, random })
  for (const action of life.actions) {
    const next = gate.calls + action.after
    for (let steps = 0; gate.calls < next && (await gate.step()); steps += 1) {
      const { ambush } = world
      if (ambush && !ambush.actor.isAlive) {
        world.ambush = undefined
        ambush.onDeath()
      }
      if (steps > MOST_STEPS) throw new StuckError(`Still not at its end after ${MOST_STEPS} steps`)
    }
    const acted = act(world, action)
    if (acted) await gate.until(acted)
  }
}
