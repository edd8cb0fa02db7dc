import { NETWORKS } from '../../../lib/events/networks.ts'
import { BEGINNING, placeOf } from '../../../lib/events/place.ts'
import { answerChanges } from '../../../lib/feed/answer-changes.ts'
import { parseChanges } from '../../../lib/feed/parse-changes.ts'
import { readAdditions } from '../../../lib/feed/read-additions.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { DEFAULT_LIMITS, hasBudget } from '../../../lib/query/budget.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import type { GivenParameters } from '../../../lib/query/read-parameters.ts'
import { countCosts, noCost } from '../../../lib/query/request-cost.ts'
import { BUSY_TOKEN, BUSY_WALLET } from './generate-events.ts'
import { address } from './make-bench-event.ts'
import { chargedStores, type FeedBench } from './measure-changes.ts'

/** A poll that finds no news. It has one kind of scope, on five networks without indexers. */
export interface IdleMeasurement {
  scope: string
  /** The cost for a reader that has read each network up to its last event. */
  readUnits: number
  /** The cost for a reader that has read each network only up to the scope's last event there, as version 0.1.0 did. */
  earlierReadUnits: number
}

const TOKENS = Array.from({ length: 10 }, (_, index) => address('token', index))
const RARE_TOKEN = address('token', 500)

const SCOPES: [scope: string, parameters: GivenParameters][] = [
  ['everything', []],
  ['a kind', [['event', 'OwnershipTransferred']]],
  ['a token', [['address', BUSY_TOKEN]]],
  ['ten tokens', [['address', TOKENS.join()]]],
  ['a user', [['user', BUSY_WALLET]]],
  [
    'a user and a kind',
    [
      ['user', BUSY_WALLET],
      ['event', 'Minted'],
    ],
  ],
  [
    'a user and a token, often together',
    [
      ['user', BUSY_WALLET],
      ['address', BUSY_TOKEN],
    ],
  ],
  [
    'a user and a token, rarely together',
    [
      ['user', BUSY_WALLET],
      ['address', RARE_TOKEN],
    ],
  ],
  [
    'a user and ten tokens',
    [
      ['user', BUSY_WALLET],
      ['address', TOKENS.join()],
    ],
  ],
]

export async function measureIdlePolls({ store: events, table }: FeedBench): Promise<IdleMeasurement[]> {
  const { store, changeStore } = chargedStores({ store: events, table })
  const measurements: IdleMeasurement[] = []
  for (const [scope, parameters] of SCOPES) {
    const ask = async (more: GivenParameters) =>
      answerChanges(parseChanges({ parameters: [...parameters, ...more] }), { store, changeStore })
    const { next } = await ask([])
    const { changes, isUpToDate, cost } = await ask([
      ['cursor', next],
      ['limit', '500'],
    ])
    if (changes.length > 0 || !isUpToDate) throw new Error(`There is news of ${scope}`)
    const earlierReadUnits = await readFromLastMatch(parameters, store)
    measurements.push({ scope, readUnits: cost.readUnits, earlierReadUnits })
  }
  return measurements
}

/** The read units of the log, the checkpoints, and each network after the scope's last event there. */
async function readFromLastMatch(parameters: GivenParameters, store: EventStore): Promise<number> {
  const { scope } = parseChanges({ parameters })
  const cost = noCost()
  const budget = { ...DEFAULT_LIMITS, timeLeftMs: () => Number.POSITIVE_INFINITY }
  for (const network of NETWORKS) {
    const { records } = await answerQuery(
      { endpoint: 'token-events', parameters: [...parameters, ['network', network], ['limit', '1']] },
      { store },
    )
    const after = records[0] ? placeOf(records[0]) : BEGINNING
    if (!hasBudget(budget, cost)) break
    const reading = { network, scope, after, frontier: END, limit: 500 }
    await readAdditions(reading, { store: countCosts(store, { cost }), budget, cost })
  }
  return cost.readUnits + LOG_AND_CHECKPOINTS_UNITS
}

/** A place after the places of all events. */
const END = '~'
const LOG_AND_CHECKPOINTS_UNITS = 2
