// serverless.yml loads this file. The file is JavaScript, because the framework's variables do not support TypeScript.
import { alarmResources } from './alarms/alarm.ts'
import { ANSWER_ALARMS } from './alarms/answer-alarms.ts'
import { VERSION_ALARMS } from './alarms/version-alarms.ts'
import { WORKER_ALARMS } from './alarms/worker-alarms.ts'
import { FUNCTION_ROLES } from './roles/function-roles.ts'
import { roleResources } from './roles/role.ts'

export const readAlarms = () => ({
  Resources: alarmResources([...ANSWER_ALARMS, ...WORKER_ALARMS, ...VERSION_ALARMS]),
})

export const readRoles = () => ({ Resources: roleResources(FUNCTION_ROLES) })
