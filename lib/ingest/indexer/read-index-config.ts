import * as z from 'zod/mini'
import { type Network, readNetworks } from '../../events/networks.ts'
import { readSsmParameter } from '../../kit/read-ssm-parameter.ts'
import { type IndexConfig, IndexConfigError, parseIndexConfig } from './index-config.ts'

const environmentSchema = z.object({
  EVENTS_TABLE: z.string().check(z.minLength(3)),
  EVENTS_NETWORKS: z.pipe(z.optional(z.string()), z.transform(readNetworks)),
  /** The configuration itself. */
  INDEX_CONFIG: z.optional(z.string()),
  /**
   * The name of an SSM parameter that contains the configuration. Used instead of `INDEX_CONFIG` if node addresses
   * contain keys.
   */
  INDEX_CONFIG_PARAMETER: z.optional(z.string()),
  CHANGES_KEPT_DAYS: z.optional(z.pipe(z.string(), z.pipe(z.transform(Number), z.int().check(z.minimum(1))))),
})

export interface IndexEnvironment {
  tableName: string
  /** The networks of the table. Undefined if the table has all networks. */
  networks: readonly Network[] | undefined
  /** The number of days for which the log of revisions keeps an entry. */
  changesKeptDays: number | undefined
  /**
   * Reads the configuration. If the configuration is in SSM, every invocation reads it again, so that changes take
   * effect.
   */
  readConfig: () => Promise<IndexConfig>
}

/** Reads the environment of the indexing function. Throws if a variable is missing or malformed. */
export function readIndexEnvironment(environment: NodeJS.ProcessEnv): IndexEnvironment {
  const { EVENTS_TABLE, EVENTS_NETWORKS, INDEX_CONFIG, INDEX_CONFIG_PARAMETER, CHANGES_KEPT_DAYS } =
    environmentSchema.parse(environment)
  return {
    tableName: EVENTS_TABLE,
    networks: EVENTS_NETWORKS,
    changesKeptDays: CHANGES_KEPT_DAYS,
    async readConfig() {
      if (INDEX_CONFIG) return parseIndexConfig(INDEX_CONFIG)
      if (INDEX_CONFIG_PARAMETER) return parseIndexConfig(await readSsmParameter(INDEX_CONFIG_PARAMETER))
      throw new IndexConfigError('Neither INDEX_CONFIG nor INDEX_CONFIG_PARAMETER is set')
    },
  }
}
