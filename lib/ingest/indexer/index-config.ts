import * as z from 'zod/mini'
import { PROOF_LEVELS } from '../../chain/nodes/read-proven-logs.ts'
import { NETWORKS, readNetworks } from '../../events/networks.ts'
import { parseJson } from '../../kit/parse-json.ts'
import { readSsmParameter } from '../../kit/read-ssm-parameter.ts'

const blockNumber = z.int().check(z.minimum(0))
const lowerCaseAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/), z.toLowerCase())

const networkConfigSchema = z.strictObject({
  /** The JSON-RPC addresses of the network's nodes. If a node fails, the next node is tried. */
  rpc: z.array(z.url()).check(z.minLength(1)),
  /** The chain id of all nodes, if they serve a test network or a development chain. */
  chainId: z.optional(z.int().check(z.minimum(1))),
  contracts: z._default(z.union([z.literal('any'), z.array(lowerCaseAddress).check(z.minLength(1))]), 'any'),
  fromBlock: z.optional(blockNumber),
  confirmations: z.optional(z.union([z.literal('finalized'), blockNumber])),
  /** Whether to also index ERC-721 transfers, as `TransferSingle` events with quantity 1. */
  erc721: z._default(z.boolean(), false),
  proof: z._default(z.enum(PROOF_LEVELS), 'doubt'),
  /** Whether to follow the head until the time is up, instead of ending at the head. */
  follow: z._default(z.boolean(), false),
})

export type NetworkConfig = z.infer<typeof networkConfigSchema>

/** What to index for each network, for example `{ "polygon": { "rpc": ["https://…"], "fromBlock": 40000000 } }`. */
const indexConfigSchema = z.partialRecord(z.enum(NETWORKS), networkConfigSchema)

export type IndexConfig = z.infer<typeof indexConfigSchema>

/** The configuration is malformed. The message never contains values, because node addresses contain keys. */
class IndexConfigError extends Error {
  override readonly name = 'IndexConfigError'
  readonly code = 'index-config'
}

/** Throws `IndexConfigError`. */
export function parseIndexConfig(json: string): IndexConfig {
  const config = parseJson(json)
  if (config === undefined) throw new IndexConfigError('The configuration of the indexer is not JSON')
  const result = indexConfigSchema.safeParse(config)
  if (result.success) return result.data
  const places = result.error.issues.map(issue =>
    [...issue.path, ...('keys' in issue ? [issue.keys.join(', ')] : [])].join('.'),
  )
  throw new IndexConfigError(`The configuration of the indexer is not valid at ${places.join('; ')}`)
}

const environmentSchema = z.object({
  EVENTS_TABLE: z.string().check(z.minLength(3)),
  EVENTS_NETWORKS: z.pipe(z.optional(z.string()), z.transform(readNetworks)),
  INDEX_CONFIG: z.optional(z.string()),
  /** The name of an SSM parameter that contains the configuration, for node addresses that contain keys. */
  INDEX_CONFIG_PARAMETER: z.optional(z.string()),
  CHANGES_KEPT_DAYS: z.optional(z.pipe(z.string(), z.pipe(z.transform(Number), z.int().check(z.minimum(1))))),
})

/** Throws if a variable is missing or malformed. */
export function readIndexEnvironment(environment: NodeJS.ProcessEnv) {
  const { EVENTS_TABLE, EVENTS_NETWORKS, INDEX_CONFIG, INDEX_CONFIG_PARAMETER, CHANGES_KEPT_DAYS } =
    environmentSchema.parse(environment)
  return {
    tableName: EVENTS_TABLE,
    /** Undefined if the table has all networks. */
    networks: EVENTS_NETWORKS,
    changesKeptDays: CHANGES_KEPT_DAYS,
    /** Every call reads a configuration in SSM again, so that changes take effect. */
    async readConfig() {
      if (INDEX_CONFIG) return parseIndexConfig(INDEX_CONFIG)
      if (INDEX_CONFIG_PARAMETER) return parseIndexConfig(await readSsmParameter(INDEX_CONFIG_PARAMETER))
      throw new IndexConfigError('INDEX_CONFIG or INDEX_CONFIG_PARAMETER must be set in the environment')
    },
  }
}
