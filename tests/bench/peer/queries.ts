import { isDeepStrictEqual } from 'node:util'
import type { PeerChain } from './fill-peer-chain.ts'

export interface Service {
  name: string
  baseUrl: string
}

export interface Query {
  name: string
  url: string
}

const PAGE = 50
/** In records. */
const DEPTH = 2_000
const LINK = /^<([^>]+)>; rel="next"$/

/** The queries' order is the same for every service. Each service issues its own cursor for the deep page. */
export async function queriesTo({ baseUrl }: Service, chain: PeerChain): Promise<Query[]> {
  const { busyUser, busyToken, busyId, span } = chain
  const ofUser = `${baseUrl}/v1/user-events/${busyUser}?limit=${PAGE}`
  const tokenEvents = `${baseUrl}/v1/token-events?limit=${PAGE}`
  return [
    { name: "a user's newest 50 events", url: ofUser },
    { name: "a token's newest 50 events", url: `${tokenEvents}&address=${busyToken}` },
    { name: 'records 2,001 to 2,050 of a user, by `skip`', url: `${ofUser}&skip=${DEPTH}` },
    {
      name: 'records 2,001 to 2,050 of a user, by cursor',
      url: await pageAfter(`${ofUser}&skip=${DEPTH - PAGE}`),
    },
    {
      name: "a user's newest 50 events in a time span",
      url: `${ofUser}&fromTime=${span.fromTime}&toTime=${span.toTime}`,
    },
    { name: "a token id's newest 50 events", url: `${tokenEvents}&address=${busyToken}&tokenId=${busyId}` },
    { name: 'the newest 50 events of a rare kind', url: `${tokenEvents}&event=OwnershipTransferred` },
  ]
}

/** Returns the URL of the next page, because each service has its own cursors. */
async function pageAfter(page: string): Promise<string> {
  const { headers } = await fetch(page)
  const [, next] = LINK.exec(headers.get('link') ?? '') ?? []
  if (!next) throw new Error(`No page follows ${page}: more events are needed`)
  // Keeps the origin of the first page, because functions without a gateway do not know their own origin.
  const { pathname, search } = new URL(next)
  return new URL(pathname + search, page).href
}

/** Throws if the services answer a query with different records, or with no records. */
export async function checkSameAnswers(asked: { service: Service; queries: Query[] }[]): Promise<void> {
  const answers = await Promise.all(asked.map(({ queries }) => Promise.all(queries.map(recordsOf))))
  const [expected = []] = answers
  for (const [at, { name }] of (asked[0]?.queries ?? []).entries()) {
    if (expected[at]?.length === 0) throw new Error(`The chain has no events for the query ${name}`)
    const other = answers.findIndex(records => !isDeepStrictEqual(records[at], expected[at]))
    if (other >= 0)
      throw new Error(`${asked[other]?.service.name} and ${asked[0]?.service.name} differ in ${name}`)
  }
  if (!isDeepStrictEqual(expected[2], expected[3])) throw new Error('The deep pages differ')
}

async function recordsOf({ url }: Query): Promise<unknown[]> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} from ${url}: ${await response.text()}`)
  return (await response.json()) as unknown[]
}
