import { closest, distance } from 'fastest-levenshtein'
import { type Settings, settingsFile } from './read-settings.ts'
import { settingsSchema } from './settings-schema.ts'

interface Deployment {
  /** For each stage and for `default`, the settings' values by name. */
  settings: Settings
  stage: string
  /** The `--param` options of the command, as `name=value`. */
  given?: readonly (string | null)[] | undefined
}

/**
 * The names that `--param` accepts, each with a description of its value. Such a parameter affects only the command to
 * which it is passed.
 */
const FOR_ONE_COMMAND: Record<string, string> = {
  switchOff: 'the names that the refused deployment printed: --param "switchOff=NAME,NAME"',
  remove: 'the stage to remove: --param "remove=STAGE"',
  atOnce: 'true: --param "atOnce=true"',
}
/** The largest edit distance that is considered a typing mistake. For a short name, half of its length is the limit. */
const MAX_MISTYPED = 2

type Values = Record<string, unknown>

/** Rules for combinations of settings. Each rule returns the problem, or false if there is none. */
const TOGETHER: ((values: Values) => string | false)[] = [
  ({ customDomain, customDomainCertificateArn: certificate }) =>
    Boolean(customDomain) !== Boolean(certificate) &&
    'customDomain and customDomainCertificateArn must be set together',
  ({ customDomain, customDomainHostedZoneId: zone }) =>
    Boolean(zone) && !customDomain && 'customDomainHostedZoneId requires customDomain',
  ({ customDomain, defaultEndpoint }) =>
    defaultEndpoint === false && !customDomain && 'defaultEndpoint: false requires customDomain',
  ({ access, jwtIssuer, jwtAudience }) =>
    access === 'jwt' &&
    (!jwtIssuer || (jwtAudience as unknown[]).length === 0) &&
    'access: jwt requires jwtIssuer and at least one jwtAudience',
  ({ tableDeletionPolicy, tableDeletionProtection, tableAdopted }) =>
    tableDeletionPolicy === 'Delete' &&
    tableDeletionProtection === true &&
    tableAdopted === false &&
    'tableDeletionProtection requires tableDeletionPolicy: Retain, because CloudFormation cannot delete a protected table, so a removal of the stage would fail half-way',
  ({ tableName, otherTable }) => otherTable === tableName && 'otherTable must differ from tableName',
  ({ otherTable, otherTableInStack, tableAdopted }) =>
    otherTableInStack === true &&
    !(otherTable && tableAdopted) &&
    'otherTableInStack requires otherTable and tableAdopted: true',
  ({ tableAdopted, otherTableInStack, importBucket }) =>
    tableAdopted === true &&
    otherTableInStack === false &&
    Boolean(importBucket) &&
    'tableAdopted and importBucket must not both be set, because an import creates its table, whereas an adopted table already exists',
  ({ importBucket, importPrefix }) =>
    Boolean(importPrefix) && !importBucket && 'importPrefix requires importBucket',
  ({ monthlyBudget, alarmEmail, alarmTopicArn }) =>
    Number(monthlyBudget) > 0 &&
    !alarmEmail &&
    !alarmTopicArn &&
    'monthlyBudget requires a receiver of its notifications: set alarmEmail or alarmTopicArn',
]

/** Returns one sentence about the first problem. */
export function findWrongSetting({ settings, stage, given = [] }: Deployment): string | undefined {
  const { default: defaults = {}, ...stages } = settings
  const ofStage = stages[stage]
  const file = settingsFile(stage)
  return (
    findWrongParameter(given, file, Object.keys(defaults)) ??
    (ofStage
      ? findWrongInFile(ofStage, file, Object.keys(defaults))
      : findMistypedStage(stage, Object.keys(stages))) ??
    findWrongValue({ ...defaults, ...ofStage }, file)
  )
}

function findWrongParameter(
  given: readonly (string | null)[],
  file: string,
  names: string[],
): string | undefined {
  const wrong = given
    .map(each => (each ?? '').split(/=(.*)/s))
    .find(([name = '', value]) => !FOR_ONE_COMMAND[name] || !value || (name === 'atOnce' && value !== 'true'))
  if (wrong === undefined) return undefined
  const [name = '', value = '…'] = wrong
  if (FOR_ONE_COMMAND[name]) return `${name} must be ${FOR_ONE_COMMAND[name]}`
  return names.includes(name)
    ? `Settings must be in files, so that the next deployment also has them: write "${name}: ${value}" into ${file}`
    : `--param accepts only ${Object.keys(FOR_ONE_COMMAND).join(', ')} (settings must be in files), not "${name}"${hintAt(name, Object.keys(FOR_ONE_COMMAND))}`
}

function findWrongInFile(values: Values, file: string, names: string[]): string | undefined {
  const unknown = Object.keys(values).find(name => !names.includes(name))
  if (unknown !== undefined) return `${file}: there is no setting "${unknown}"${hintAt(unknown, names)}`
  if ('tableDeletionPolicy' in values) return undefined
  return `${file} must say what happens to the table when the stack is removed: add "tableDeletionPolicy: Retain" (the table stays) or "tableDeletionPolicy: Delete" (the table is deleted)`
}

function findWrongValue(values: Values, file: string): string | undefined {
  const [issue] = settingsSchema.safeParse(values).error?.issues ?? []
  if (issue?.code === 'unrecognized_keys')
    return `infra/deploy/settings-schema.ts must say which values of ${issue.keys.join(', ')} are valid`
  if (issue) {
    const [name = ''] = issue.path.map(String)
    const value = JSON.stringify(values[name])
    return `${file}: ${name} ${issue.message}, ${value === undefined ? 'but is missing' : `not ${value}`}`
  }
  const together = TOGETHER.map(find => find(values)).find(Boolean)
  return together ? `${file}: ${together}` : undefined
}

/** Anyone can create a stage, such as dev2 or pr-17, but a name that resembles a known stage is probably mistyped. */
function findMistypedStage(stage: string, stages: string[]): string | undefined {
  const likely = /^[a-z]+$/i.test(stage) ? findLikely(stage.toLowerCase(), stages) : undefined
  if (likely === undefined) return undefined
  return `There is no stage "${stage}"; did you mean "${likely}"? If not, create the file ${settingsFile(stage)}`
}

function hintAt(name: string, names: string[]): string {
  const likely = findLikely(name, names)
  return likely === undefined ? '' : `; did you mean "${likely}"?`
}

function findLikely(name: string, names: string[]): string | undefined {
  const likely = closest(name, names)
  const apart = distance(name, likely)
  return apart <= Math.min(MAX_MISTYPED, likely.length / 2) ? likely : undefined
}
