import { availableParallelism } from 'node:os'
import { median, ratios, table, withSpread } from '../recorded/statistics.ts'
import type { Measured } from './measure-rounds.ts'
import type { Service } from './queries.ts'
import type { OwnServices } from './start-own-services.ts'

interface IndexedService extends Service {
  /** From its start until all events were indexed. */
  seconds: number
}

export interface PeerRun {
  own: OwnServices
  /** On PostgreSQL. */
  ponder: IndexedService
  /** On its embedded database. */
  embedded: IndexedService
  measured: Measured[]
  rounds: number
}

/** The measurements as Markdown. */
export function reportPeer(run: PeerRun): string {
  const { own, ponder, embedded, rounds } = run
  return [
    '# Beside Ponder',
    '',
    `\`npm run bench:peer\`: the same ${own.events} events of one chain, the same queries over HTTP, the same records in the answers (checked), on ${availableParallelism()} cores with Node.js ${process.version}. ${rounds} interleaved rounds; the caller is a process of its own. Medians over the rounds, with the middle half of them; × PostgreSQL and × PGlite: the rounds' ratios to Ponder on these. Milliseconds.`,
    '',
    '- `npm start`: the whole local stack: emulated gateway, functions as they are bundled for Lambda, emulated engine (dynalite).',
    '- functions: the same functions in one process over plain HTTP, with the same engine.',
    "- functions, engine replayed: the same, but what the engine has answered once is replayed: the functions' own share.",
    '- Ponder, PostgreSQL: `ponder start` with a server of its own with its default settings and statistics.',
    '- Ponder, PGlite: `ponder start` with its embedded database, which gathers no statistics.',
    '',
    `Indexing the chain took us ${own.seconds.toFixed(0)} seconds and Ponder, from its start, ${ponder.seconds.toFixed(0)} with PostgreSQL and ${embedded.seconds.toFixed(0)} with PGlite.`,
    '',
    '## Whole',
    '',
    'p99 of fewer than 100 requests is the slowest of them.',
    '',
    table(
      [
        ...['query', 'connections', 'served by', 'p50', 'p99'],
        ...['p50 × PostgreSQL', 'p99 × PostgreSQL', 'p50 × PGlite', 'requests a round'],
      ],
      wholeRows(run),
    ),
    '',
    '## Shares',
    '',
    "One connection, p50. The whole is `npm start`; the gateway's share is what it takes above the functions over plain HTTP, the engine's what these take above those with replayed answers, and the rest is the functions' own, with the AWS SDK, the replaying process and plain HTTP. `Server-Timing` is what the functions of `npm start` tell about reading the table.",
    '',
    table(
      [
        'query',
        'whole',
        'gateway',
        'engine',
        'functions',
        '`Server-Timing`',
        'engine and gateway, %',
        'Ponder, PostgreSQL',
      ],
      shareRows(run),
    ),
    '',
  ].join('\n')
}

function wholeRows({ measured, own, ponder, embedded }: PeerRun): string[][] {
  return measured.map(each => {
    const baseline = sameSlot(measured, each, ponder)
    // Without its engine a service is beside nothing that Ponder could be asked for.
    const besidePonder = (values: number[], others: number[]) =>
      each.service === own.replayed ? '–' : withSpread(ratios(values, others), 2)
    return [
      each.query.name,
      String(each.connections),
      each.service.name,
      withSpread(each.p50, 1),
      withSpread(each.p99, 1),
      besidePonder(each.p50, baseline.p50),
      besidePonder(each.p99, baseline.p99),
      besidePonder(each.p50, sameSlot(measured, each, embedded).p50),
      median(each.requests).toFixed(0),
    ]
  })
}

function shareRows({ measured, own, ponder }: PeerRun): string[][] {
  const wholes = measured.filter(({ service, connections }) => service === own.whole && connections === 1)
  return wholes.map(whole => {
    const functions = sameSlot(measured, whole, own.functions).p50
    const replayed = sameSlot(measured, whole, own.replayed).p50
    const emulated = whole.p50.map((ms, round) => ms - (replayed[round] ?? Number.NaN))
    return [
      whole.query.name,
      withSpread(whole.p50, 1),
      withSpread(differences(whole.p50, functions), 1),
      withSpread(differences(functions, replayed), 1),
      withSpread(replayed, 1),
      withSpread(whole.functionMs, 1),
      (100 * median(ratios(emulated, whole.p50))).toFixed(0),
      withSpread(sameSlot(measured, whole, ponder).p50, 1),
    ]
  })
}

const differences = (values: number[], others: number[]) =>
  values.map((value, round) => value - (others[round] ?? Number.NaN))

/** What another service took for the same. */
function sameSlot(measured: Measured[], { query, connections }: Measured, service: Service): Measured {
  const found = measured.find(
    other =>
      other.service === service && other.connections === connections && other.query.name === query.name,
  )
  if (!found) throw new Error(`${service.name} was not asked for ${query.name}`)
  return found
}
