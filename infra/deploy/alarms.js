// serverless.yml loads this file. The file is JavaScript, because the framework's variables do not support TypeScript.
import { resourcesOf } from './alarms/alarm.ts'
import { ANSWER_ALARMS } from './alarms/answer-alarms.ts'
import { AUDIT_ALARMS } from './alarms/audit-alarms.ts'
import { INDEX_ALARMS } from './alarms/index-alarms.ts'
import { PUBLISH_ALARMS } from './alarms/publish-alarms.ts'
import { VERSION_ALARMS } from './alarms/version-alarms.ts'

export const readAlarms = () => ({
  Resources: resourcesOf([
    ...ANSWER_ALARMS,
    ...INDEX_ALARMS,
    ...AUDIT_ALARMS,
    ...PUBLISH_ALARMS,
    ...VERSION_ALARMS,
  ]),
})
