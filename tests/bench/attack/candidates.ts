import type { EventRecord } from '../../../lib/events/record.ts'
import { createRandom } from '../../support/records/random.ts'
import { BUSY_TOKEN, BUSY_WALLET } from '../cost/generate-events.ts'
import { address, BENCH_NETWORKS } from '../cost/make-bench-event.ts'
import { ORDERS, shapesOf, withParameters } from '../cost/shapes.ts'

const WALLETS = [
  BUSY_WALLET,
  address('wallet', 1),
  address('wallet', 40),
  address('wallet', 9_000),
  address('wallet', 99_999),
]
const TOKENS = [BUSY_TOKEN, address('token', 1), address('token', 20), address('token', 99_999)]
const KINDS = ['Minted', 'MintedBatch', 'TransferSingle', 'TransferBatch', 'OwnershipTransferred']
const ROLES = ['from', 'to', 'operator', 'owner', 'creator', 'initialOwner']
const NETWORKS = ['network=polygon', 'network=polygon,base,ethereum']
const ONE_OF_TOKEN = `${BUSY_TOKEN}&tokenId=77`
const TEN_TOKENS = Array.from({ length: 10 }, (_, rank) => address('token', rank)).join()
/** Two spans have a start and an end. The other two have only a start, which excludes no event. */
const SPANS = [
  'fromTime=2022-06-01&toTime=2022-06-30',
  'fromTime=0',
  'fromBlock=0',
  'fromBlock=1000000&toBlock=1500000',
]
/** No skip, and skips over records that are read, over records that are only counted, and beyond the last record. */
const SKIPS = ['', 'skip=50', 'skip=20000', `skip=${Number.MAX_SAFE_INTEGER}`]

/** `minBlock` on every network, so that all reads are consistent. */
const EXACT = BENCH_NETWORKS.map(network => `minBlock=${network}:0`).join('&')
const EXACT_SHAPES = [
  'token-events',
  `user-events/${BUSY_WALLET}`,
  `token-events?user=${BUSY_WALLET}&address=${BUSY_TOKEN}`,
].map(path => ({ request: withParameters(path, EXACT, 'count=true') }))

export const knownCandidates = (records: EventRecord[]): string[] =>
  [...shapesOf(records), ...EXACT_SHAPES].flatMap(({ request }) =>
    SKIPS.map(skip => withParameters(request, request.includes('limit=') ? '' : 'limit=500', skip)),
  )

/** Random combinations of filters on busy, middling, quiet and unknown addresses. */
export function randomCandidates(count: number, seed: number): string[] {
  const random = createRandom(seed)
  const maybe = (probability: number, text: () => string) => (random.chance(probability) ? [text()] : [])
  return Array.from({ length: count }, () => {
    const isUser = random.chance(0.4)
    const common = [
      ...maybe(0.3, () => `event=${random.pick(KINDS)}`),
      ...maybe(0.15, () => `event=${random.pick(KINDS)}`),
      ...maybe(0.15, () => random.pick(SPANS)),
      ...maybe(0.15, () => 'count=true'),
      ...maybe(0.6, () => random.pick(SKIPS)),
      ...maybe(0.8, () => random.pick(Object.values(ORDERS))),
      `limit=${random.pick(['1', '50', '500'])}`,
    ]
    const own = isUser
      ? maybe(0.3, () => random.pick(NETWORKS))
      : [
          ...maybe(0.1, () => random.pick(NETWORKS)),
          ...maybe(0.6, () => `address=${random.pick([...TOKENS, TOKENS.join(), TEN_TOKENS, ONE_OF_TOKEN])}`),
          ...maybe(0.1, () => `user=${random.pick(WALLETS)}`),
          ...ROLES.slice(0, 3).flatMap(role => maybe(0.4, () => `${role}=${random.pick(WALLETS)}`)),
        ]
    const path = isUser ? `user-events/${random.pick(WALLETS)}` : 'token-events'
    return withParameters(path, ...own, ...common)
  })
}
