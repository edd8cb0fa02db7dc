import { env } from 'node:process'
import { loadConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS } from '@smithy/core/config'

/**
 * Returns the AWS region of this shell as the AWS CLI finds it: `AWS_REGION`, else `AWS_DEFAULT_REGION`, else the
 * profile's region. The SDK for JavaScript ignores `AWS_DEFAULT_REGION`. Returns undefined if none of these is set.
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
