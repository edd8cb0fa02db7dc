// serverless.yml loads this file. The file is JavaScript, because the framework's variables do not support TypeScript.
import { cwd } from 'node:process'
import { findRegion } from '../../lib/kit/find-region.ts'
import { findRunbook } from './find-runbook.ts'
import { findVersion } from './find-version.ts'
import { readSettings as readFiles } from './read-settings.ts'

export const region = async ({ options }) => (await findRegion(options['aws-profile'])) ?? null

/** The version of what is deployed. Nothing is deployed in the local stage. */
export const version = ({ options }) => findVersion(cwd(), { isDeployed: options.stage !== 'local' })

export async function readSettings() {
  const { default: defaults, ...stages } = readFiles()
  return { default: { ...defaults, runbook: defaults.runbook || (await findRunbook(cwd())) }, ...stages }
}
