import { env } from 'node:process'
import { loadConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS } from '@smithy/core/config'

/**
 * Resolves with the AWS region that the AWS CLI would use in this shell: `AWS_REGION`, else `AWS_DEFAULT_REGION`
 * (ignored by the SDK for JavaScript), else the profile's region. Resolves with undefined if none of these is set.
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
