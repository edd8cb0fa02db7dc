import * as z from 'zod/mini'
import { readQueryConfig } from '../../http/function-config.ts'
import { readSsmParameter } from '../../kit/read-ssm-parameter.ts'

const environmentSchema = z.object({
  /** The name of the SSM parameter that contains the subscriptions and their secrets. */
  PUBLISH_CONFIG_PARAMETER: z.string(),
  /** Whether a run continues until its time is up. */
  PUBLISH_FOLLOW: z.optional(z.enum(['true', 'false'])),
})

/** The environment of the publisher's function. Throws if a variable is missing. */
export function readPublishEnvironment(environment: NodeJS.ProcessEnv) {
  const { PUBLISH_CONFIG_PARAMETER, PUBLISH_FOLLOW } = environmentSchema.parse(environment)
  return {
    ...readQueryConfig(environment),
    follow: PUBLISH_FOLLOW === 'true',
    /** Called for every run, so that a changed list of subscriptions takes effect. */
    readConfig: () => readSsmParameter(PUBLISH_CONFIG_PARAMETER),
  }
}
