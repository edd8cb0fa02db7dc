import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import * as z from 'zod/mini'
import { type IndexConfig, IndexConfigError, parseIndexConfig } from './index-config.ts'

const environmentSchema = z.object({
  EVENTS_TABLE: z.string().check(z.minLength(3)),
  /** The configuration itself. */
  INDEX_CONFIG: z.optional(z.string()),
  /** Or the name of the SSM parameter that holds it, where addresses of nodes hold keys. */
  INDEX_CONFIG_PARAMETER: z.optional(z.string()),
  CHANGES_KEPT_DAYS: z.optional(z.pipe(z.string(), z.pipe(z.transform(Number), z.int().check(z.minimum(1))))),
})

export interface IndexEnvironment {
  tableName: string
  /** How long the log of rewinds is kept. */
  changesKeptDays: number | undefined
  /** Reads the configuration; one in SSM is read for every invocation, so that changes take effect. */
  readConfig: () => Promise<IndexConfig>
}

/** The environment of the function that indexes. Throws when a variable is missing. */
export function readIndexEnvironment(environment: NodeJS.ProcessEnv): IndexEnvironment {
  const { EVENTS_TABLE, INDEX_CONFIG, INDEX_CONFIG_PARAMETER, CHANGES_KEPT_DAYS } =
    environmentSchema.parse(environment)
  return {
    tableName: EVENTS_TABLE,
    changesKeptDays: CHANGES_KEPT_DAYS,
    async readConfig() {
      if (INDEX_CONFIG) return parseIndexConfig(INDEX_CONFIG)
      if (INDEX_CONFIG_PARAMETER) return parseIndexConfig(await readParameter(INDEX_CONFIG_PARAMETER))
      throw new IndexConfigError('Neither INDEX_CONFIG nor INDEX_CONFIG_PARAMETER is set')
    },
  }
}

async function readParameter(name: string): Promise<string> {
  const client = new SSMClient({})
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))
    return Parameter?.Value ?? ''
  } finally {
    client.destroy()
  }
}
