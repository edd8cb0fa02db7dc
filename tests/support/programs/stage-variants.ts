import { readWings } from '../../../infra/deploy/wings/wings.ts'
import type { PackageRequest } from './package-service.ts'
import { type PackagedService, usePackagedService } from './use-packaged-service.ts'

/** The stages of this repository, and stages with other settings that operators could have. */
export const VARIANTS = {
  dev: { stage: 'dev', settings: {} },
  prod: { stage: 'prod', settings: {} },
  /** Everything that can be switched on is on. */
  full: {
    stage: 'staging',
    settings: {
      access: 'iam',
      alarmEmail: 'ops@example.org',
      alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:alarms',
      customDomain: 'events.example.org',
      customDomainCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
      customDomainHostedZoneId: 'Z123',
      defaultEndpoint: false,
      indexConfigKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/1',
      indexEnabled: true,
      monthlyBudget: 500,
      permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary',
      runbook: 'https://github.com/our-org/our-repository/blob/HEAD/infra/runbook.md',
      changesKeptDays: 90,
      reservedConcurrency: 20,
      tableClass: 'STANDARD_INFREQUENT_ACCESS',
      ...Object.assign({}, ...readWings('example')),
    },
  },
  /** Everything that can be switched off is off. */
  lean: { stage: 'dev', settings: { smokeEnabled: false, tracing: false, pointInTimeRecovery: false } },
  /** A personal stage without a settings file, whose table is filled from files in S3. */
  own: {
    stage: 'pr-17',
    settings: {
      tableDeletionPolicy: 'Delete',
      importBucket: 'import-files',
      importPrefix: 'events/',
      access: 'jwt',
      jwtIssuer: 'https://issuer.example.org',
      jwtAudience: ['explorer', 'wallet'],
    },
  },
  adopted: {
    stage: 'prod',
    settings: { tableName: 'blockchain-events-restored', tableAdopted: true, indexEnabled: true },
  },
  /** The roles already allow access to a second table. */
  covering: { stage: 'prod', settings: { otherTable: 'blockchain-events-prod-2' } },
  /** The functions use the second table, and the first table stays in the stack. */
  moved: {
    stage: 'prod',
    settings: {
      tableName: 'blockchain-events-prod-2',
      tableAdopted: true,
      otherTable: 'blockchain-events-prod',
      otherTableInStack: true,
    },
  },
} satisfies Record<string, PackageRequest>

/** Packages the variant for the tests of the calling file. All test files of a run share one package per variant. */
export function useVariant(name: keyof typeof VARIANTS): PackagedService {
  const { stage, settings } = VARIANTS[name]
  return usePackagedService(stage, settings)
}
