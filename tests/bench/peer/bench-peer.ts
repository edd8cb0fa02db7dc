/** `npm run bench:peer` compares the local stack with Ponder, the likely alternative. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { writeReport } from '../recorded/write-report.ts'
import { fillPeerChain } from './fill-peer-chain.ts'
import { startLoadGenerator } from './load-generator.ts'
import { measureRounds } from './measure-rounds.ts'
import { checkSameAnswers, queriesTo, type Service } from './queries.ts'
import { reportPeer } from './report-peer.ts'
import { PEER_NETWORK, startOwnServices } from './start-own-services.ts'
import { installPonder, type PonderDatabase, startPonder } from './start-ponder.ts'
import { findPostgres, startPostgres } from './start-postgres.ts'
import { stopTogether } from './stop-together.ts'

const EVENTS = positiveInteger('BENCH_EVENTS') ?? 20_000
const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 10

const running = stopTogether()
try {
  const postgresPrograms = await findPostgres()
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-peer-'))
  running.add({ stop: () => rm(folder, { recursive: true, force: true }) })
  await installPonder()
  const chain = running.add(await fillPeerChain(EVENTS))
  const all = await startOwnServices(chain, { folder, running })
  const one = await startOwnServices(chain, { folder, network: PEER_NETWORK, running })
  const indexedBy = async (name: string, database: PonderDatabase) => {
    const { baseUrl, ready } = running.add(await startPonder(chain, database))
    return { name, baseUrl, seconds: await ready }
  }
  const embedded = await indexedBy('Ponder, PGlite', { folder: path.join(folder, 'pglite') })
  const postgres = running.add(await startPostgres(postgresPrograms))
  const ponder = await indexedBy('Ponder, PostgreSQL', postgres)
  await postgres.gatherStatistics()
  const asked = await Promise.all(
    [ponder, embedded, ...[one, all].flatMap(own => [own.replayed, own.functions, own.whole])].map(
      async (service: Service) => ({ service, queries: await queriesTo(service, chain) }),
    ),
  )
  await checkSameAnswers(asked)
  const generator = running.add(startLoadGenerator())
  const measured = await measureRounds(asked, { rounds: ROUNDS, generator })
  await writeReport('peer', reportPeer({ one, all, ponder, embedded, measured, rounds: ROUNDS }))
} finally {
  await running.stop()
}
