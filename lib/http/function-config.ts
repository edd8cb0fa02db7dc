import * as z from 'zod/mini'
import { readNetworks } from '../events/networks.ts'

const eventsTable = z.string().check(z.minLength(3))
/** If PUBLIC_BASE_URL is empty or absent, the service uses the address that API Gateway reports. */
const publicBaseUrl = z.pipe(
  z.optional(z.union([z.literal(''), z.url()])),
  z.transform(url => url || undefined),
)

/** If EVENTS_NETWORKS is empty or absent, the table is assumed to contain all networks. */
const eventsNetworks = z.pipe(z.optional(z.string()), z.transform(readNetworks))

/** Throws if a variable is missing or malformed. */
export function readQueryConfig(environment: NodeJS.ProcessEnv) {
  const schema = z.object({
    EVENTS_TABLE: eventsTable,
    EVENTS_NETWORKS: eventsNetworks,
    PUBLIC_BASE_URL: publicBaseUrl,
  })
  const { EVENTS_TABLE, EVENTS_NETWORKS, PUBLIC_BASE_URL } = schema.parse(environment)
  return { tableName: EVENTS_TABLE, networks: EVENTS_NETWORKS, publicBaseUrl: PUBLIC_BASE_URL }
}

/** Contract addresses, separated by spaces. Set only in the local stack, which serves recordings of a local chain. */
const localContracts = z.pipe(
  z.optional(z.string().check(z.regex(/^(0x[0-9a-f]{40} ?)*$/))),
  z.transform((text = '') => text.split(' ').filter(address => address !== '')),
)

export function readStatusConfig(environment: NodeJS.ProcessEnv) {
  const schema = z.object({
    SERVICE_VERSION: z.string(),
    LOCAL_CONTRACTS: localContracts,
    LIVE_CHAIN: z.optional(z.literal('true')),
  })
  const { SERVICE_VERSION: version, LOCAL_CONTRACTS, LIVE_CHAIN } = schema.parse(environment)
  return {
    ...readQueryConfig(environment),
    version,
    localContracts: LOCAL_CONTRACTS,
    isLive: LIVE_CHAIN === 'true',
  }
}

/** Reads the configuration of a function that reads no table. */
export function readBaseConfig(environment: NodeJS.ProcessEnv) {
  const { PUBLIC_BASE_URL } = z.object({ PUBLIC_BASE_URL: publicBaseUrl }).parse(environment)
  return { publicBaseUrl: PUBLIC_BASE_URL }
}
