import path from 'node:path'
import { type ForkedPart, forkPart } from '../../../infra/local/processes/fork-part.ts'
import type { LifeReport, Order, ShortLife } from './world-worker.ts'

const HERE = import.meta.dirname
const ENVIRONMENT = path.join(HERE, '../../support/runner/define-environment.js')

export interface ManyLives {
  firstSeed: number
  lives: number
  workers: number
  /** The planted defect as JSON (see `hooks.ts`). */
  plant?: string | undefined
  /** Whether to continue after a broken law. */
  all?: boolean
  onLife?: (report: LifeReport) => void
}

/**
 * Uses several processes. The order of the calls of `onLife` depends on the machine, but the reports' contents do not.
 * Resolves with the reports of lives that broke a law, in the order of their seeds.
 */
export async function liveMany({ firstSeed, lives, workers, plant, all, onLife }: ManyLives) {
  const broken: LifeReport[] = []
  let next = firstSeed
  await Promise.all(
    Array.from({ length: Math.min(workers, lives) }, async () => {
      await using worker = startWorker(plant)
      while ((all || broken.length === 0) && next < firstSeed + lives) {
        const report = await ask<LifeReport>(worker, { live: next++ })
        onLife?.(report)
        if (report.breaches.length > 0) broken.push(report)
      }
    }),
  )
  return broken.toSorted((a, b) => a.seed - b.seed)
}

export async function tellShortest(
  seed: number,
  { law, plant }: { law: string; plant?: string | undefined },
): Promise<ShortLife> {
  await using worker = startWorker(plant)
  return await ask<ShortLife>(worker, { shorten: seed, law })
}

function startWorker(plant = '') {
  const worker = forkPart(path.join(HERE, 'world-worker.ts'), [], {
    execArgv: ['--max-semi-space-size=64', '--import', ENVIRONMENT, '--import', path.join(HERE, 'hooks.ts')],
    env: { ...process.env, EVENTS_WORLD_PLANT: plant },
  })
  return { ...worker, [Symbol.asyncDispose]: worker.stop }
}

function ask<Answer>({ child, message }: ForkedPart, order: Order): Promise<Answer> {
  child.send(order)
  return message<Answer>().catch(error => {
    throw new Error(`${(error as Error).message}: ${JSON.stringify(order)}`)
  })
}
