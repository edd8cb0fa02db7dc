import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { LifeReport, Order, ShortLife } from './world-worker.ts'

const HERE = import.meta.dirname
const ENVIRONMENT = path.join(HERE, '../../support/runner/define-environment.js')

export interface ManyLives {
  firstSeed: number
  lives: number
  workers?: number
  /** The planted defect as JSON (see `hooks.ts`). */
  plant?: string | undefined
  /** Called after each life. Returns whether to continue. */
  onLife: (report: LifeReport) => boolean
}

/** Uses several processes. The order of the reports depends on the machine, but the reports' contents do not. */
export async function liveMany({ firstSeed, lives, workers = 2, plant, onLife }: ManyLives): Promise<void> {
  let next = firstSeed
  let goesOn = true
  await Promise.all(
    Array.from({ length: Math.min(workers, lives) }, async () => {
      const worker = startWorker(plant)
      try {
        while (goesOn && next < firstSeed + lives) {
          const report = await ask<LifeReport>(worker, { live: next++ })
          goesOn &&= onLife(report)
        }
      } finally {
        worker.kill()
      }
    }),
  )
}

export async function tellShortest(
  seed: number,
  { law, plant }: { law: string; plant?: string | undefined },
): Promise<ShortLife> {
  const worker = startWorker(plant)
  try {
    return await ask<ShortLife>(worker, { shorten: seed, law })
  } finally {
    worker.kill()
  }
}

const startWorker = (plant = ''): ChildProcess =>
  fork(path.join(HERE, 'world-worker.ts'), {
    execArgv: ['--max-semi-space-size=64', '--import', ENVIRONMENT, '--import', path.join(HERE, 'hooks.ts')],
    env: { ...process.env, EVENTS_WORLD_PLANT: plant },
  })

async function ask<Answer>(worker: ChildProcess, order: Order): Promise<Answer> {
  worker.send(order)
  const ended = new AbortController()
  const exit = once(worker, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`A process of the world ended with ${code ?? signal}: ${JSON.stringify(order)}`)
  })
  exit.catch(() => undefined)
  try {
    const [answer] = await Promise.race([once(worker, 'message', { signal: ended.signal }), exit])
    return answer
  } finally {
    ended.abort()
  }
}
