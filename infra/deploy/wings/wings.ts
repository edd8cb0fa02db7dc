import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { AUDIT } from './audit.ts'
import { PUBLISHER } from './publisher.ts'
import type { Wing } from './wing.ts'

/** The wings of `lib` whose functions are optional in a deployment. */
const WINGS: readonly Wing[] = [AUDIT, PUBLISHER]

export const WING_ROLES = WINGS.map(({ role }) => role)
export const WING_ALARMS = WINGS.flatMap(({ alarms }) => alarms)
export const WING_VALUES: Wing['values'] = Object.assign({}, ...WINGS.map(({ values }) => values))

/** Reads one part of each wing's YAML file. serverless.yml itself reads the part `function`. */
export const readWings = (part: 'settings' | 'example' | 'conditions' | 'widgets') =>
  WINGS.map(({ name }) => parse(readFileSync(path.join(import.meta.dirname, `${name}.yml`), 'utf8'))[part])
