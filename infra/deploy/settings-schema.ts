import * as z from 'zod/mini'
import { NETWORKS } from '../../lib/events/networks.ts'
import { arn, count, flag, optional, parameter, positive, text } from './setting-values.ts'
import { WING_VALUES } from './wings/wings.ts'

const namesOfNetworks = () => new RegExp(`^(all|(${NETWORKS.join('|')})( *, *(${NETWORKS.join('|')}))*)$`)

const NAMES_OF_NETWORKS = `must be all, or one or more of ${NETWORKS.join(', ')}, separated by commas`

const NAME_OF_TABLE = 'must consist of 3 to 255 letters, digits, dots, hyphens and underscores'

const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const

/** The valid values: `none`, and the names of CodeDeploy's configurations for Lambda. */
const TRAFFIC_SHIFTS = [
  'none',
  ...[5, 10, 15, 30].map(minutes => `Canary10Percent${minutes}Minutes`),
  ...['1Minute', '2Minutes', '3Minutes', '10Minutes'].map(time => `Linear10PercentEvery${time}`),
]

/** The valid values of each setting. settings/default.yml and the files of `wings` explain the settings. */
export const settingsSchema = z.strictObject({
  tableName: text.check(z.regex(/^[\w.-]{3,255}$/, NAME_OF_TABLE)),
  networks: text.check(z.regex(namesOfNetworks(), NAMES_OF_NETWORKS)),
  otherTable: optional(/^[\w.-]{3,255}$/, NAME_OF_TABLE),
  otherTableInStack: flag,
  tableDeletionPolicy: z.enum(['Retain', 'Delete'], 'must be Retain or Delete'),
  tableDeletionProtection: flag,
  tableAdopted: flag,
  importBucket: optional(/^[a-z\d.-]{3,63}$/, 'must be a bucket name without s3://'),
  importPrefix: text,
  readUnitsPerSecond: positive,
  tableClass: z.enum(
    ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'],
    'must be STANDARD or STANDARD_INFREQUENT_ACCESS',
  ),
  pointInTimeRecovery: flag,
  changesKeptDays: positive,
  access: z.enum(['public', 'iam', 'jwt'], 'must be public, iam or jwt'),
  jwtIssuer: optional(/^https:\/\/\S+$/, 'must be the https address in the `iss` claim of the tokens'),
  jwtAudience: z.array(text, 'must be a list, such as [my-app]'),
  requestsPerSecond: positive,
  requestsAtOnce: positive,
  publicBaseUrl: optional(
    /^https?:\/\/[^/]+(\/.*[^/])?$/,
    'must be an address such as https://example.org, without a slash at the end',
  ),
  customDomain: optional(/^[a-z\d-]+(\.[a-z\d-]+)+$/, 'must be a name such as events.example.org'),
  customDomainCertificateArn: arn('acm', 'arn:aws:acm:eu-west-1:123456789012:certificate/…'),
  customDomainHostedZoneId: optional(/^[A-Z\d]+$/, 'must be the id of a hosted zone, such as Z0123456789'),
  defaultEndpoint: flag,
  logLevel: z.enum(
    ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT', 'CRITICAL'],
    'must be TRACE, DEBUG, INFO, WARN, ERROR, CRITICAL or SILENT',
  ),
  logRetentionInDays: z.literal(RETENTION_DAYS, `must be one of ${RETENTION_DAYS.join(', ')}`),
  tracing: flag,
  reservedConcurrency: count,
  trafficShift: z.enum(TRAFFIC_SHIFTS, `must be one of ${TRAFFIC_SHIFTS.join(', ')}`),
  trafficShiftAlarms: flag,
  permissionsBoundary: arn('iam', 'arn:aws:iam::123456789012:policy/…'),
  indexEnabled: flag,
  indexConfigParameter: parameter('index'),
  indexConfigKeyArn: arn('kms', 'arn:aws:kms:eu-west-1:123456789012:key/…'),
  indexConfig: text,
  ...WING_VALUES,
  alarmEmail: optional(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  alarmTopicArn: arn('sns', 'arn:aws:sns:eu-west-1:123456789012:alarms'),
  latencyAlarmMs: positive,
  indexLagAlarmSeconds: positive,
  smokeEnabled: flag,
  smokeAddress: text.check(z.regex(/^0x[\da-fA-F]{40}$/, 'must be 0x and 40 hex digits')),
  monthlyBudget: count,
  // The path of the runbook is also valid, because it is the default if git has no usable remote.
  runbook: optional(
    /^infra\/runbook\.md$|^https?:\/\/\S+$/,
    'must be an address, such as https://github.com/our-org/our-repository/blob/HEAD/infra/runbook.md',
  ),
  unwatched: flag,
})
