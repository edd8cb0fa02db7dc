import type { PackageRequest } from './package-service.ts'
import { type PackagedService, usePackagedService } from './use-packaged-service.ts'

/** Stages as operators have them: those of this repository, and some with settings of their own. */
export const VARIANTS = {
  dev: { stage: 'dev', settings: {} },
  prod: { stage: 'prod', settings: {} },
  /** Everything that can be switched on. */
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
      changesKeptDays: 90,
      reservedConcurrency: 20,
      tableClass: 'STANDARD_INFREQUENT_ACCESS',
    },
  },
  /** Everything that can be switched off. */
  lean: {
    stage: 'dev',
    settings: { smokeEnabled: false, tracing: false, pointInTimeRecovery: false },
  },
  /** Somebody's own stage, without a file, whose table is made from files in S3. */
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
  /** A table from elsewhere put into service. */
  adopted: {
    stage: 'prod',
    settings: { tableName: 'blockchain-events-restored', tableAdopted: true, indexEnabled: true },
  },
} satisfies Record<string, PackageRequest>

/** A variant's package, there while this file's tests run; each is made once for all files. */
export function useVariant(name: keyof typeof VARIANTS): PackagedService {
  const { stage, settings } = VARIANTS[name]
  return usePackagedService(stage, settings)
}
