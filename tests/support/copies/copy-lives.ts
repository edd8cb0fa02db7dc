import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import { findPostgres } from '../../bench/peer/start-postgres.ts'
import { startChain } from '../chain/chain.ts'
import { chainEvents } from '../chain/chain-truth.ts'
import { indexChain } from '../chain/index-chain.ts'
import { listenForChanges } from '../http/listen.ts'
import { runCommand, startCommand } from '../programs/run-command.ts'
import { byId } from '../records/by-id.ts'
import { createRandom } from '../records/random.ts'
import { IS_LONG_RUN, SEED } from '../runner/test-size.ts'
import { until } from '../runner/until.ts'
import { useEngine } from '../store/engine.ts'
import { chainBalances, copiedBalances } from './balances-of.ts'
import { randomTrades } from './random-trades.ts'

const DIE_AT_WRITE = fileURLToPath(new URL('./die-at-write.ts', import.meta.url))
const NETWORK = 'polygon'
/** The last write at which a process may be killed. Some processes finish before this write. */
const MANY_WRITES = 60

const seeds = Array.from({ length: IS_LONG_RUN ? 200 : 3 }, (_, index) => SEED + index)

/**
 * Kills the command at random writes and, on a database server, sometimes also the server process that runs its
 * transaction.
 */
export function describeLives(newTarget: () => Promise<string>): void {
  const engine = useEngine()

  test.each(seeds)('a copy ends as the chain, whichever process dies at any write (seed %i)', async seed => {
    const random = createRandom(seed)
    const chain = await startChain()
    const tableName = await engine.createEventsTable()
    const service = await listenForChanges({ client: engine.reader, tableName })
    try {
      const target = await newTarget()
      const isServer = target.startsWith('postgres:')
      const args = [service.baseUrl, '--to', target, '--once']
      const fromBlock = (await chain.head()) + 1
      const indexed = { endpoint: engine.endpoint, tableName, network: NETWORK, fromBlock } as const
      for (let round = 0; round < 4; round++) {
        for (let block = 0; block < 3; block++) await chain.mine(randomTrades(chain, random))
        const depth = Math.min(random.below(6), (await chain.head()) - fromBlock)
        if (depth > 0) await chain.reorganise(depth, [randomTrades(chain, random)])
        await indexChain({ ...indexed, rpcUrls: [chain.rpcUrl] })

        const dying = await runCommand('follow', args, {
          nodeOptions: ['--import', DIE_AT_WRITE],
          env: {
            DIE_AT_WRITE: String(1 + random.below(MANY_WRITES)),
            ...(random.chance(0.5) && { DIE_BEHIND: 'true' }),
            ...(isServer && { POSTGRES_PORT: new URL(target).port }),
          },
        })
        expect([0, null]).toContain(dying.code)
        if (isServer && random.chance(0.5)) await killServerInTurn(target, args)
      }
      expect(await runCommand('follow', args)).toMatchObject({ code: 0 })

      const copy = await openCopy(target, { source: service.baseUrl })
      const truth = byId(await chainEvents(chain, NETWORK, { fromBlock }))
      expect(await copy.records()).toEqual(truth)
      const ids = truth.flatMap(record => ('tokenIds' in record ? record.tokenIds.map(BigInt) : []))
      expect(copiedBalances(await copy.read('SELECT * FROM balances'))).toEqual(
        await chainBalances(chain, { network: NETWORK, ids: [...new Set(ids)] }),
      )
      await copy.close()
    } finally {
      await Promise.all([service.stop(), chain.stop()])
    }
  })
}

/** Kills a server process while a lock blocks its transaction, after which PostgreSQL ends all sessions. */
async function killServerInTurn(target: string, args: string[]): Promise<void> {
  const url = new URL(target)
  const schema = url.searchParams.get('search_path')
  url.search = ''
  const psql = path.join(await findPostgres(), 'psql')
  const ask = async (query: string) =>
    (await promisify(execFile)(psql, [url.href, '-tAc', query])).stdout.trim()
  if ((await ask(`SELECT to_regclass('${schema}.feed')`)) === '') return

  // The lock lets the follower read a page, but blocks its first write to the balances or the cursor.
  const lock = `BEGIN; LOCK TABLE ${schema}.balances, ${schema}.feed IN SHARE MODE; SELECT pg_sleep(86400)`
  const holder = spawn(psql, [url.href, '-c', lock], { stdio: 'ignore' })
  const released = once(holder, 'exit')
  await until(async () => (await ask("SELECT 1 FROM pg_locks WHERE granted AND mode = 'ShareLock'")) !== '')
  const { ended } = startCommand('follow', args)
  let waiting = ''
  await until(async () => {
    waiting = await ask(`SELECT pid FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND backend_type = 'client backend'`)
    return waiting !== ''
  })
  process.kill(Number(waiting), 'SIGKILL')
  expect(await ended).toMatchObject({ code: 1, errors: expect.stringContaining(' is not available: ') })
  await released
  await until(() =>
    ask('SELECT 1').then(
      () => true,
      () => false,
    ),
  )
}
