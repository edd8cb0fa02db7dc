import * as z from 'zod/mini'

/** The name of the table, which CloudFormation gives. */
const eventsTable = z.string().check(z.minLength(3))
/** Empty or absent: callers use the address that API Gateway reports. */
const publicBaseUrl = z.pipe(
  z.optional(z.union([z.literal(''), z.url()])),
  z.transform(url => url || undefined),
)

/** The environment of a function that answers queries. Throws when a variable is missing or malformed. */
export function readQueryConfig(environment: NodeJS.ProcessEnv) {
  const schema = z.object({ EVENTS_TABLE: eventsTable, PUBLIC_BASE_URL: publicBaseUrl })
  const { EVENTS_TABLE, PUBLIC_BASE_URL } = schema.parse(environment)
  return { tableName: EVENTS_TABLE, publicBaseUrl: PUBLIC_BASE_URL }
}

/** The environment of the function that tells how current the service is. */
export function readStatusConfig(environment: NodeJS.ProcessEnv) {
  const { SERVICE_VERSION } = z.object({ SERVICE_VERSION: z.string() }).parse(environment)
  return { ...readQueryConfig(environment), version: SERVICE_VERSION }
}

/** The environment of a function that reads no table. */
export function readBaseConfig(environment: NodeJS.ProcessEnv) {
  const { PUBLIC_BASE_URL } = z.object({ PUBLIC_BASE_URL: publicBaseUrl }).parse(environment)
  return { publicBaseUrl: PUBLIC_BASE_URL }
}
