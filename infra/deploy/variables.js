// serverless.yml loads this file. It is JavaScript, because the framework's variables do not support TypeScript.
import { cwd } from 'node:process'
import { findRegion } from '../../lib/kit/find-region.ts'
import { alarmResources } from './alarms/alarm.ts'
import { ANSWER_ALARMS } from './alarms/answer-alarms.ts'
import { VERSION_ALARMS } from './alarms/version-alarms.ts'
import { WORKER_ALARMS } from './alarms/worker-alarms.ts'
import { findRunbook, findVersion } from './ask-git.ts'
import { readSettings as readFiles } from './read-settings.ts'
import { FUNCTION_ROLES } from './roles/function-roles.ts'
import { roleResources } from './roles/role.ts'

export const region = async ({ options }) => (await findRegion(options['aws-profile'])) ?? null

/** The version of what is deployed. Nothing is deployed in the local stage. */
export const version = ({ options }) => findVersion(cwd(), { isDeployed: options.stage !== 'local' })

export async function readSettings() {
  const { default: defaults, ...stages } = readFiles()
  return { default: { ...defaults, runbook: defaults.runbook || (await findRunbook(cwd())) }, ...stages }
}

export const readAlarms = () => ({
  Resources: alarmResources([...ANSWER_ALARMS, ...WORKER_ALARMS, ...VERSION_ALARMS]),
})

export const readRoles = () => ({ Resources: roleResources(FUNCTION_ROLES) })
