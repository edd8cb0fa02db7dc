/// <reference lib="esnext.disposable" />
/** `npm run bench:peer` compares the local stack with Ponder, the likely alternative. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { writeReport } from '../recorded/report.ts'
import { fillPeerChain } from './fill-peer-chain.ts'
import { measureRounds } from './measure-rounds.ts'
import { checkSameAnswers, queriesTo, type Service } from './queries.ts'
import { reportPeer } from './report-peer.ts'
import { type Add, PEER_NETWORK, startOwnServices } from './start-own-services.ts'
import { installPonder, type PonderDatabase, startPonder } from './start-ponder.ts'
import { findPostgres, startPostgres } from './start-postgres.ts'

const EVENTS = positiveInteger('BENCH_EVENTS') ?? 20_000
const ROUNDS = positiveInteger('BENCH_ROUNDS') ?? 10

await using running = new AsyncDisposableStack()
const add: Add = part => running.adopt(part, ({ stop }) => stop())
const postgresPrograms = await findPostgres()
const { path: folder } = running.use(await mkdtempDisposable(path.join(tmpdir(), 'bench-peer-')))
await installPonder()
const chain = add(await fillPeerChain(EVENTS))
const all = await startOwnServices(chain, { folder, add })
const one = await startOwnServices(chain, { folder, network: PEER_NETWORK, add })
const indexedBy = async (name: string, database: PonderDatabase) => {
  const { baseUrl, ready } = add(await startPonder(chain, database))
  return { name, baseUrl, seconds: await ready }
}
const embedded = await indexedBy('Ponder, PGlite', { folder: path.join(folder, 'pglite') })
const postgres = add(await startPostgres(postgresPrograms))
const ponder = await indexedBy('Ponder, PostgreSQL', postgres)
await postgres.gatherStatistics()
const asked = await Promise.all(
  [ponder, embedded, ...[one, all].flatMap(own => [own.replayed, own.functions, own.whole])].map(
    async (service: Service) => ({ service, queries: await queriesTo(service, chain) }),
  ),
)
await checkSameAnswers(asked)
const measured = await measureRounds(asked, { rounds: ROUNDS, add })
await writeReport('peer', reportPeer({ one, all, ponder, embedded, measured, rounds: ROUNDS }))
