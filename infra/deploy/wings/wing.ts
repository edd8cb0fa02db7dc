import type * as z from 'zod/mini'
import type { Alarm } from '../alarms/alarm.ts'
import type { Role } from '../roles/role.ts'

/** What a deployment needs for one wing of `lib`. The YAML file with the same name contains the rest. */
export interface Wing {
  name: string
  /** The valid values of the settings that only this wing has. */
  values: Record<string, z.ZodMiniType>
  role: Role
  alarms: readonly Alarm[]
}
