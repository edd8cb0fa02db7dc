import { HttpRequestError } from 'viem'
import { createIndexObserver } from '../../../lib/ingest/indexer/create-index-observer.ts'
import type { IndexProgress } from '../../../lib/ingest/indexer/index-options.ts'
import { printedLines } from '../../support/programs/printed-lines.ts'

const progress: IndexProgress = {
  network: 'base',
  checkpoint: { blockNumber: 90, blockHash: `0x${'00'.repeat(32)}`, timestamp: 980 },
  ...{ head: 100, headTimestamp: 1000, confirmations: 2, first: 5, target: 90 },
  ...{ blocks: 86, events: 12, removed: 0, rejected: 1, writeUnits: 100 },
}
const BY_NETWORK = { CloudWatchMetrics: [{ Dimensions: [['service'], ['service', 'network']] }] }

test('reports the lag of a network, for the network and for the service', () => {
  const [log, metrics] = printedLines(() => createIndexObserver(() => 1_010_000).indexed(progress))

  expect(log).toMatchObject({ message: 'indexed', network: 'base', indexedThrough: 90, events: 12 })
  const counted = { IndexLag: 30, SecondsBehindHead: 20, BlocksBehindHead: 10, EventsIndexed: 12 }
  expect(metrics).toMatchObject({ network: 'base', ...counted, _aws: BY_NETWORK })
})

test('a network without stored blocks has no lag, but all of its blocks are behind the head', () => {
  const run = { ...progress, checkpoint: undefined }
  const [, metrics] = printedLines(() => createIndexObserver().indexed(run))

  expect(metrics).toMatchObject({ BlocksBehindHead: 96 })
  expect(metrics).not.toHaveProperty('IndexLag')
})

test('a run that no node has told its newest block reports no distance from it, instead of 0', () => {
  const run = { ...progress, head: -1, headTimestamp: 0 }
  const [log, metrics] = printedLines(() => createIndexObserver(() => 1_010_000).indexed(run))

  expect(log).toMatchObject({ message: 'indexed', indexedThrough: 90 })
  expect(metrics).toMatchObject({ IndexLag: 30, EventsIndexed: 12 })
  for (const name of ['head', 'blocksBehind']) expect(log).not.toHaveProperty(name)
  for (const name of ['SecondsBehindHead', 'BlocksBehindHead']) expect(metrics).not.toHaveProperty(name)
})

test('the age of the newest block is reported even if another indexer has the lease', () => {
  const observer = createIndexObserver(() => 1_010_000)
  const [, metrics] = printedLines(() => observer.busy('base', progress.checkpoint))

  expect(metrics).toMatchObject({ network: 'base', IndexLag: 30, _aws: BY_NETWORK })
})

test('a failure is reported without the addresses of nodes, because they contain keys', () => {
  const error = new HttpRequestError({
    url: 'https://a.example/secret',
    details: 'Unauthorized',
    status: 401,
  })
  const lines = printedLines(() => createIndexObserver().failed('base', error))

  expect(lines).toMatchObject([
    { level: 'ERROR', message: 'indexing failed', network: 'base', error: { message: 'Unauthorized' } },
  ])
  expect(JSON.stringify(lines)).not.toContain('secret')
})
