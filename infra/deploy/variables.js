// serverless.yml loads this file, which is JavaScript because the framework's variables do not support TypeScript.
import { cwd } from 'node:process'
import { CORS_HEADERS, preflightResponse } from '../../lib/http/cors.ts'
import { findRegion } from '../../lib/kit/find-region.ts'
import { alarmArns, alarmResources } from './alarms/alarm.ts'
import { ANSWER_ALARMS } from './alarms/answer-alarms.ts'
import { INDEX_ALARMS } from './alarms/index-alarms.ts'
import { VERSION_ALARMS } from './alarms/version-alarms.ts'
import { findRunbook, findVersion } from './ask-git.ts'
import { readSettings as readFiles } from './read-settings.ts'
import { FUNCTION_ROLES } from './roles/function-roles.ts'
import { roleResources } from './roles/role.ts'
import { readWings, WING_ALARMS, WING_ROLES } from './wings/wings.ts'

const ALARMS = [...ANSWER_ALARMS, ...INDEX_ALARMS, ...WING_ALARMS, ...VERSION_ALARMS]

export const region = async ({ options }) => (await findRegion(options['aws-profile'])) ?? null

/** The version of the service. In the local stage, nothing is deployed, so the version has no build metadata. */
export const version = ({ options }) => findVersion(cwd(), { isDeployed: options.stage !== 'local' })

export async function readSettings() {
  const { default: defaults, ...stages } = readFiles()
  return { default: { ...defaults, runbook: defaults.runbook || (await findRunbook(cwd())) }, ...stages }
}

/** Returns the gateway's CORS settings, derived from the functions' headers, so that both send the same headers. */
export function readCors() {
  const headers = { ...CORS_HEADERS, ...preflightResponse().headers }
  const list = name => headers[`Access-Control-${name}`].split(', ')
  return {
    AllowOrigins: list('Allow-Origin'),
    AllowMethods: list('Allow-Methods'),
    AllowHeaders: list('Allow-Headers'),
    ExposeHeaders: list('Expose-Headers'),
    MaxAge: Number(headers['Access-Control-Max-Age']),
  }
}

export const readAlarmArns = () => alarmArns(ALARMS)

export const readResources = () => ({
  Conditions: Object.assign({}, ...readWings('conditions')),
  Resources: { ...roleResources([...FUNCTION_ROLES, ...WING_ROLES]), ...alarmResources(ALARMS) },
})

/** A comma follows the widgets of each wing, so that the dashboard's list is valid even if there are no wings. */
export const readWidgets = () =>
  readWings('widgets')
    .map(widgets => `${widgets},`)
    .join('\n')
