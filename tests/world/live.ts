import './gate/virtual-globals.ts'
import { createRandom } from '../support/records/random.ts'
import { changeMood } from './actors/chains/chains.ts'
import { createWorld } from './create-world.ts'
import { endLife } from './end-life.ts'
import { StuckError } from './gate/gate.ts'
import { enterWorld } from './gate/virtual-globals.ts'
import type { Action, Life } from './life.ts'
import { PARTS } from './parts.ts'
import { watchWrites } from './watch-writes.ts'
import { type Breach, breach, type World } from './world.ts'

export interface Outcome {
  breaches: readonly Breach[]
  calls: number
  /** Covers everything that happened: two lives with the same digest were identical in every call. */
  digest: string
  /** The life's story, with one line per call and note. */
  story: readonly string[]
  tally: ReadonlyMap<string, number>
}

const STANDS_STILL =
  'While work is unfinished, the world never stands still, and no program in it repeats itself forever.'
/** A life with more steps between two actions is assumed to run forever. */
const MOST_STEPS = 60_000

/** The same life always has the same outcome. */
export async function live(life: Life): Promise<Outcome> {
  const world = createWorld(life, PARTS)
  const { gate, service, hosts, breaches, tally } = world
  enterWorld({
    gate,
    fetch: service.fetch,
    request: (url: URL, options: never) => hosts.get(url.href)?.(options),
  })
  watchWrites(world)
  try {
    await spend(world)
    await endLife(world)
  } catch (error) {
    breach(world, STANDS_STILL, String((error as Error).stack))
  } finally {
    enterWorld(undefined)
  }
  return { breaches, calls: gate.calls, digest: gate.digest(), story: gate.story, tally }
}

/** Alternates between the life's actions and the calls of all programs. */
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
        ambush.onDeath?.()
      }
      if (steps > MOST_STEPS) throw new StuckError(`The programs have not ended after ${MOST_STEPS} steps`)
    }
    const acted = act(world, action)
    if (acted) await gate.until(acted)
  }
}

function act(world: World, { kind, chance }: Action): void | Promise<void> {
  const random = createRandom(chance)
  const network = random.pick([...world.networks.values()])
  world.gate.note(`» ${kind} (${network.network})`)
  const part = world.parts.find(({ acts }) => acts?.[kind])
  return part?.acts?.[kind]?.act({ world, network, random })
}
