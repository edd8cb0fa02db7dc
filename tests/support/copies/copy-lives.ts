import path from 'node:path'
import postgres from 'postgres'
import { openCopy } from '../../../lib/copies/open-copy.ts'
import { startChain } from '../chain/chain.ts'
import { chainEvents } from '../chain/chain-truth.ts'
import { indexChain } from '../chain/index-chain.ts'
import { byId } from '../changes/stored-events.ts'
import { listenForChanges } from '../http/listen.ts'
import { runCommand, startCommand } from '../programs/run-command.ts'
import { createRandom } from '../records/random.ts'
import { INDEX_RUN_COUNT, SEED } from '../runner/test-size.ts'
import { until } from '../runner/until.ts'
import { useEngine } from '../store/engine.ts'
import { chainBalances, copiedBalances } from './balances-of.ts'
import { randomTrades } from './random-trades.ts'

const DIE_AT_WRITE = path.join(import.meta.dirname, 'die-at-write.ts')
const NETWORK = 'polygon'
/** More than a turn has. */
const MANY_WRITES = 60

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

/** Random lives of `npm run follow` into what `newTarget` names: it dies at any write, and so does a server in the middle of a turn. */
export function describeLives(newTarget: () => Promise<string>): void {
  const engine = useEngine()

  test.each(seeds)(
    'a copy ends as the chain and its contracts, whoever dies at any write (seed %i)',
    async seed => {
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
    },
  )
}

/** Holds the follower in the middle of a turn by a lock, and kills its server process, which ends all others, too. */
async function killServerInTurn(target: string, args: string[]): Promise<void> {
  const sql = postgres(target, { max: 1, onnotice: () => undefined, onclose: () => undefined })
  const tables = await sql`SELECT to_regclass('balances') AS found`
  if (!tables[0]?.found) return sql.end()
  const held = sql.begin(async lock => {
    await lock`LOCK TABLE balances IN ACCESS EXCLUSIVE MODE`
    const { ended } = startCommand('follow', args)
    let waiting: number | undefined
    await until(async () => {
      const [row] = await lock`SELECT pid FROM pg_locks WHERE NOT granted`
      waiting = row?.pid
      return waiting !== undefined
    })
    process.kill(waiting ?? 0, 'SIGKILL')
    expect(await ended).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No answer from postgres:'),
    })
  })
  // A server of which one process is killed ends all connections.
  await held.catch(() => undefined)
  await sql.end({ timeout: 1 }).catch(() => undefined)
  await until(async () => {
    const probe = postgres(target, { max: 1 })
    const isUp = await probe`SELECT 1`.then(
      () => true,
      () => false,
    )
    await probe.end({ timeout: 1 })
    return isUp
  })
}
