import { env } from 'node:process'
import { loadConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS } from '@smithy/core/config'

/**
 * The AWS region that this shell means, in the order of the AWS CLI: `AWS_REGION`, `AWS_DEFAULT_REGION` (which the
 * SDK for JavaScript alone does not look at), then that of the profile. Undefined where none of them names one.
 */
export async function findRegion(profile?: string): Promise<string | undefined> {
  const named = env.AWS_REGION || env.AWS_DEFAULT_REGION
  if (named) return named
  const ofProfile = loadConfig(NODE_REGION_CONFIG_OPTIONS, {
    ...NODE_REGION_CONFIG_FILE_OPTIONS,
    ...(profile && { profile }),
  })
  return ofProfile().catch(() => undefined)
}
