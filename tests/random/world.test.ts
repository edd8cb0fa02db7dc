import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { IS_LONG_RUN, SEED, WORLD_LIFE_COUNT } from '../support/runner/test-size.ts'

/** Short runs always repeat the same lives. Only long runs try other lives. */
const FIRST_SEED = IS_LONG_RUN ? SEED : 1
const RUN = path.join(import.meta.dirname, '../world/run/run-world.ts')

/** Resolves with a map from each life's seed to its digest. Rejects if a law was broken. */
async function runWorld(lives: number, workers: number): Promise<Map<string, string>> {
  const options = { seed: FIRST_SEED, lives, workers }
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const run = promisify(execFile)(process.execPath, [RUN, '--digests', ...given], { maxBuffer: 2 ** 28 })
  const { stdout } = await run.catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })
  return new Map(
    [...stdout.matchAll(/^(\d+) ([0-9a-f]{16})$/gm)].map(([, seed = '', digest = '']) => [seed, digest]),
  )
}

let digests: Map<string, string>

test(`no law is broken in ${WORLD_LIFE_COUNT} lives (from seed ${FIRST_SEED} on)`, async () => {
  digests = await runWorld(WORLD_LIFE_COUNT, 2)
  expect(digests.size).toBe(WORLD_LIFE_COUNT)
})

test('a seed is one life, to the last call, whatever else runs on the machine', async () => {
  const alone = await runWorld(6, 1)
  expect(alone.size).toBe(6)
  for (const [seed, digest] of alone) expect(digest).toBe(digests.get(seed))
})
