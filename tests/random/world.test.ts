import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { IS_LONG_RUN, SEED, WORLD_LIFE_COUNT } from '../support/runner/test-size.ts'

/** Every short run repeats the same lives, because many long runs have already searched other lives. */
const FIRST_SEED = IS_LONG_RUN ? SEED : 1
const RUN = path.join(import.meta.dirname, '../world/run/run-world.ts')

async function runWorld(...options: string[]): Promise<{ code: number; output: string }> {
  const run = promisify(execFile)(process.execPath, [RUN, ...options], { maxBuffer: 2 ** 28 })
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  )
}

test(`no law is broken in ${WORLD_LIFE_COUNT} lives (from seed ${FIRST_SEED} on)`, async () => {
  const { code, output } = await runWorld('--seed', String(FIRST_SEED), '--lives', String(WORLD_LIFE_COUNT))
  if (code !== 0) throw new Error(output)
})

test('a seed is one life, to the last call, whatever else runs on the machine', async () => {
  const digests = async (workers: number) => {
    const { output } = await runWorld(
      '--seed',
      String(FIRST_SEED),
      '--lives',
      '6',
      '--workers',
      String(workers),
      '--digests',
      '--all',
    )
    return output
      .split('\n')
      .filter(line => /^\d+ [0-9a-f]{16}$/.test(line))
      .sort()
  }
  const [alone, beside] = await Promise.all([digests(1), digests(2)])
  expect(alone).toHaveLength(6)
  expect(beside).toEqual(alone)
})
