import { isDeepStrictEqual } from 'node:util'
import { openStateFile, type StateFile } from '../../kit/state-file.ts'
import { type AuditProgress, auditProgressSchema } from '../audit-progress.ts'
import type { WantedAudit } from '../plan-audit.ts'

/** Throws a one-line error if another audit has the file open. */
export const openAuditState = (file: string): StateFile<AuditProgress> =>
  openStateFile(file, {
    name: 'audit',
    schema: auditProgressSchema,
    option: '--state',
    remedy: 'delete the file, and start over',
  })

/** Throws a one-line error if the state belongs to an audit with different options. */
export function checkSameAudit(file: string, { plan }: AuditProgress, wanted: WantedAudit): void {
  const { network, source, contracts, erc721, fromBlock, toBlock, sample, lists } = wanted
  const pairs = [
    ['--network', network, plan.network],
    ['--table or --service', source, plan.source],
    ['--contract', contracts, plan.contracts],
    ['--erc721', erc721 || undefined, plan.erc721],
    ['--from-block', fromBlock, plan.fromBlock],
    ['--to-block', toBlock, plan.toBlock],
    ['--sample', sample !== undefined, plan.sample !== undefined],
    // `--no-scan` has no effect on a sample, whose items are always looked up.
    ['--no-scan', sample === undefined ? lists : undefined, plan.lists],
  ] as const
  const other = pairs.find(([, asked, known]) => asked !== undefined && !isDeepStrictEqual(asked, known))
  if (!other) return
  const [option] = other
  throw new Error(
    `${file} belongs to an audit with a different ${option}: specify the same value as before, or choose another --state`,
  )
}
