import * as z from 'zod/mini'
import { NETWORKS } from '../../events/networks.ts'

const blockNumber = z.int().check(z.minimum(0))
const lowerCaseAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/), z.toLowerCase())

const networkConfigSchema = z.strictObject({
  /** JSON-RPC addresses of nodes, tried in turn. */
  rpc: z.array(z.url()).check(z.minLength(1)),
  /** What all of these nodes must have, where another chain stands in for the network. */
  chainId: z.optional(z.int().check(z.minimum(1))),
  contracts: z._default(z.union([z.literal('any'), z.array(lowerCaseAddress).check(z.minLength(1))]), 'any'),
  fromBlock: z.optional(blockNumber),
  confirmations: z.optional(z.union([z.literal('finalized'), blockNumber])),
  /** Take transfers of ERC-721, too, as `TransferSingle` of quantity 1. */
  erc721: z._default(z.boolean(), false),
  /** Go on at the head until the time is up, rather than wait for the next invocation. */
  follow: z._default(z.boolean(), false),
})

export type NetworkConfig = z.infer<typeof networkConfigSchema>

/** What to index, by network, as in `{ "polygon": { "rpc": ["https://…"], "fromBlock": 40000000 } }`. */
const indexConfigSchema = z.partialRecord(z.enum(NETWORKS), networkConfigSchema)

export type IndexConfig = z.infer<typeof indexConfigSchema>

/** The configuration is not of its form. Never says what was found there: addresses of nodes hold keys. */
export class IndexConfigError extends Error {
  override readonly name = 'IndexConfigError'
  readonly code = 'index-config'
}

/** Reads the configuration from its JSON. Throws `IndexConfigError`. */
export function parseIndexConfig(json: string): IndexConfig {
  const result = indexConfigSchema.safeParse(parseJson(json))
  if (result.success) return result.data
  const places = result.error.issues.map(issue =>
    [...issue.path, ...('keys' in issue ? [issue.keys.join(', ')] : [])].join('.'),
  )
  throw new IndexConfigError(`The configuration of the indexer is not valid at ${places.join('; ')}`)
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new IndexConfigError('The configuration of the indexer is not JSON')
  }
}
