import { createAuditObserver } from '../../../lib/audit/create-audit-observer.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'

const audit = {
  ...{ network: 'base', first: 0, last: 90, auditedThrough: 90, blocks: 91, events: 5 },
  ...{ difference: undefined, differentBlock: undefined },
} satisfies Parameters<ReturnType<typeof createAuditObserver>['audited']>[0]

test('counts the differences of this run, or one that is known but was not reached', () => {
  const countOf = (each: Partial<Parameters<ReturnType<typeof createAuditObserver>['audited']>[0]>) =>
    printedLines(() => createAuditObserver().audited({ ...audit, ...each })).at(-1)

  expect(countOf({})).toMatchObject({ AuditDifferences: 0 })
  expect(countOf({ auditedThrough: 40, differentBlock: 60 })).toMatchObject({ AuditDifferences: 1 })
  const difference = { blockNumber: 60, missing: ['a', 'b'], extra: ['c'], different: [] }
  expect(countOf({ difference, differentBlock: 60 })).toMatchObject({ AuditDifferences: 3 })
})

test('an audit that fails still counts a difference that was found before, and nothing else', () => {
  const lines = (differentBlock?: number) =>
    printedLines(() => createAuditObserver().failed('base', new Error('broken'), differentBlock))

  expect(lines(60)).toMatchObject([
    { message: 'auditing failed', network: 'base', differentBlock: 60 },
    {
      network: 'base',
      AuditDifferences: 1,
      _aws: { CloudWatchMetrics: [{ Dimensions: [['service'], ['service', 'network']] }] },
    },
  ])
  expect(lines()).toHaveLength(1)
})
