import path from 'node:path'
import { recordDifference } from '../../../lib/audit/lower-claim.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { entriesOf, type IndexedTable, useAuditedTables } from '../../support/audit/audited-table.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import type { Interceptor } from '../../support/faults/fault-proxy.ts'
import { operationOf, status } from '../../support/faults/faults.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { listenWith } from '../../support/http/listen.ts'
import { linesOf, runCommand, startCommand } from '../../support/programs/run-command.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStops } from '../../support/runner/use-started.ts'

const { engine, known, startFaultProxy, indexed } = useAuditedTables()
const stopLater = useStops()
const folder = useFolder()

const chainOf = (rpcUrl = known.chain.rpcUrl) => ['--network', 'polygon', '--rpc', rpcUrl]
const tableOptionsOf = ({ table: { tableName } }: IndexedTable, endpoint = engine.endpoint) => [
  '--table',
  tableName,
  '--endpoint',
  endpoint,
]
const indexAgain = ({ table: { tableName } }: IndexedTable) =>
  indexChain({
    ...{ endpoint: engine.endpoint, tableName, network: 'polygon', restart: true },
    rpcUrls: [known.chain.rpcUrl],
  })
const JSON_LINES = ['--log-format', 'json']

test('a table that equals the chain: exit code 0, and the summary is the last line', async () => {
  const table = await indexed()
  const state = ['--state', path.join(folder, 'complete.audit')]
  const args = [...chainOf(), ...tableOptionsOf(table), ...JSON_LINES, ...state]

  const { code, output, errors } = await runCommand('audit', args)

  expect(code).toBe(0)
  const [summary, ...more] = linesOf(output)
  expect(more).toEqual([])
  expect(summary).toMatchObject({
    ...{ network: 'polygon', fromBlock: 0, toBlock: known.lastFinal, events: known.final.length },
    ...{ missing: [], extra: [], different: [] },
    firstHash: expect.stringMatching(/^0x/),
    lastHash: expect.stringMatching(/^0x/),
    blocks: { unproven: 0 },
  })
  expect(linesOf(errors).map(({ event }) => event)).toEqual(['started', 'audited-through'])

  await indexAgain(table)
  // The state is complete, so this run compares nothing, does not move the audited block, and ignores the change.
  const again = await runCommand('audit', args)
  expect(again.code).toBe(0)
  expect(linesOf(again.errors).map(({ event }) => event)).toEqual(['started'])
  const other = await runCommand('audit', [...args, '--no-scan'])
  expect(other.code).toBe(2)
  expect(other.errors).toContain('belongs to an audit with a different --no-scan')
})

test('a damaged table: exit code 1, a line for each difference, and 0 once --repair has repaired it', async () => {
  const table = await indexed()
  const { transfer, falseOne } = known
  await table.remove(entriesOf(transfer))
  await table.put(entriesOf(falseOne))
  const audit = (...more: string[]) => runCommand('audit', [...chainOf(), ...tableOptionsOf(table), ...more])

  const found = await audit(...JSON_LINES)
  expect(found.code).toBe(1)
  expect(linesOf(found.output)).toMatchObject([
    { missing: [transfer.id], extra: [falseOne.id], different: [] },
  ])
  expect(linesOf(found.errors)).toMatchObject([
    { event: 'started' },
    { event: 'missing', id: transfer.id, blockNumber: transfer.blockNumber },
    { event: 'extra', id: falseOne.id, blockNumber: transfer.blockNumber },
  ])
  const told = await audit()
  expect(told.output).toContain('1 missing, 1 not on the chain')

  const repaired = await audit('--repair', ...JSON_LINES)
  expect(repaired.code).toBe(0)
  expect(linesOf(repaired.output)).toMatchObject([{ missing: [transfer.id], repaired: true }])
  expect((await audit()).code).toBe(0)
})

test('a service, with a state that is kept: the same command tells the same summary without asking again', async () => {
  const table = await indexed()
  await table.remove(entriesOf(known.transfer))
  const service = stopLater(
    await listenWith(createDynamoEventStore(table.served), createCheckpointReader(table.served)),
  )
  let isRefused = true
  const proxy = await startFaultProxy(service.baseUrl, (request, forward) =>
    isRefused && request.path.includes('token-events') ? status(429)(request, forward) : forward(),
  )
  const state = ['--state', path.join(folder, 'service.audit')]
  const source = ['--service', proxy.url, ...JSON_LINES]
  const refused = await runCommand('audit', [...chainOf(), ...source, ...state])
  const [unfinished] = linesOf(refused.output)
  expect(unfinished).toMatchObject({
    doubts: ['The answer was 429; when the cause is gone, the same command continues the audit'],
  })
  isRefused = false
  const first = await runCommand('audit', [...chainOf(), ...source, ...state])
  expect(first.code).toBe(1)
  const [summary] = linesOf(first.output)
  expect(summary).toMatchObject({ missing: [known.transfer.id], toBlock: known.lastFinal })
  await table.put(entriesOf(known.transfer))

  const again = await runCommand('audit', [...chainOf(), ...source, ...state])
  expect(again.code).toBe(1)
  expect(linesOf(again.output)).toEqual([{ ...summary, time: expect.any(String) }])
  const nobody = await runCommand('audit', [...chainOf(), '--service', 'http://127.0.0.1:9'])
  expect(nobody.code).toBe(2)
  expect(nobody.errors).toContain('http://127.0.0.1:9 did not answer: HTTP clients refuse to use this port')
})

test('an audit that is killed goes on where it was, and ends in the same summary', async () => {
  const table = await indexed()
  await table.remove(entriesOf(known.transfer))
  const args = [...tableOptionsOf(table), ...JSON_LINES]
  const whole = await runCommand('audit', [...chainOf(), ...args])
  const state = ['--state', path.join(folder, 'killed.audit')]
  let requests = 0
  // Requests that name block 112 get no answer.
  const proxy = await startFaultProxy(known.chain.rpcUrl, async (request, forward) => {
    if (!request.body.includes('"0x70"')) return forward()
    requests += 1
    return 'hang'
  })
  const running = startCommand('audit', [...chainOf(proxy.url), ...args, ...state])
  await until(() => requests > 0)
  running.child.kill('SIGKILL')
  await running.ended

  const rest = await runCommand('audit', [...chainOf(), ...args, ...state])
  expect(rest.code).toBe(1)
  const plain = ({ time, ...summary }: Record<string, unknown>) => summary
  expect(linesOf(rest.output).map(plain)).toEqual(linesOf(whole.output).map(plain))
})

/** Changes the first digit of each hash in an answer. */
const withOtherHashes: Interceptor = async (_, forward) => {
  const answer = await forward()
  const otherDigit = (digit: string) => (digit === '0' ? '1' : '0')
  const body = String(answer.body).replaceAll(/(?<="hash":"0x)./g, otherDigit)
  return { ...answer, body: Buffer.from(body) }
}

test.each([
  ['cannot be asked for', status(503), 2, undefined],
  ['is on another chain', withOtherHashes, 0, 'not-moved'],
])(
  'if the block of the checkpoint %s, the same command later stores the audited block',
  async (what, fault, code, event) => {
    const table = await indexed()
    const head = `"0x${(await known.chain.head()).toString(16)}"`
    // The audit requests the checkpoint's block only when it is about to store the audited block.
    const proxy = await startFaultProxy(known.chain.rpcUrl, (request, forward) =>
      request.body.includes(head) ? fault(request, forward) : forward(),
    )
    const args = [...tableOptionsOf(table), ...JSON_LINES, '--state', path.join(folder, `${what}.audit`)]
    const first = await runCommand('audit', [...chainOf(proxy.url), ...args])
    expect(first.code).toBe(code)
    if (event) expect(linesOf(first.errors).at(-1)).toMatchObject({ event })
    expect((await table.state())?.auditedBlock).toBeUndefined()

    const { errors } = await runCommand('audit', [...chainOf(), ...args])

    expect(linesOf(errors).map(({ event }) => event)).toEqual(['started', 'audited-through'])
    expect((await table.state())?.auditedBlock?.blockNumber).toBe(known.lastFinal)
  },
)

const REFUSED = status(400, {
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'as arranged' },
})

/** The scan of the table starts only after all blocks have been compared. */
async function auditThatScans(table: IndexedTable, scan: Interceptor, file: string) {
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) =>
    operationOf(request) === 'Scan' ? scan(request, forward) : forward(),
  )
  const place = tableOptionsOf(table, proxy.url)
  return [...chainOf(), ...place, ...JSON_LINES, '--state', path.join(folder, file)]
}

test('an audit that is resumed after the network was indexed again ends at once, with exit code 2', async () => {
  const table = await indexed()
  const args = await auditThatScans(table, REFUSED, 'restarted.audit')
  expect((await runCommand('audit', args)).code).toBe(2)
  await indexAgain(table)

  const { code, output, errors } = await runCommand('audit', args)

  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toContain(
    "have been changed or indexed again, so the audit's findings may no longer be valid",
  )
  expect((await table.state())?.auditedBlock).toBeUndefined()
})

test('an audit during which the network was indexed again has no verdict, also when it is run again', async () => {
  const table = await indexed()
  let scans = 0
  const indexMeanwhile: Interceptor = async (_, forward) => {
    scans += 1
    if (scans === 1) await indexAgain(table)
    return forward()
  }
  const args = await auditThatScans(table, indexMeanwhile, 'changed.audit')

  for (const { code, output } of [await runCommand('audit', args), await runCommand('audit', args)]) {
    expect(code).toBe(2)
    expect(linesOf(output)).toMatchObject([
      { doubts: [expect.stringContaining('have been changed or indexed again')] },
    ])
  }
  expect((await table.state())?.auditedBlock).toBeUndefined()
})

test('an audit that has found a difference says so, with exit code 1, even if the table then refuses to be read', async () => {
  const table = await indexed()
  await table.remove(entriesOf(known.transfer))
  let hasScanned = false
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
    const isScan = operationOf(request) === 'Scan'
    hasScanned ||= isScan
    return hasScanned && !isScan ? REFUSED(request, forward) : forward()
  })
  const args = [...chainOf(), ...tableOptionsOf(table, proxy.url), ...JSON_LINES]

  const { code, output } = await runCommand('audit', args)

  expect(code).toBe(1)
  expect(linesOf(output)).toMatchObject([{ missing: [known.transfer.id], doubts: ['as arranged'] }])
})

test('an audit names a difference above its blocks, and stores no audited block if another audit records one meanwhile', async () => {
  const table = await indexed()
  const record = (block: number) => recordDifference(block, { ...table.table, network: 'polygon' })
  // Such a difference is left, for example, if a killed repair has moved the checkpoint below it.
  await record(known.lastFinal + 1)
  const recordMeanwhile: Interceptor = async (_, forward) => {
    await record(known.transfer.blockNumber)
    return forward()
  }
  const { code, errors } = await runCommand(
    'audit',
    await auditThatScans(table, recordMeanwhile, 'beside.audit'),
  )

  expect(code).toBe(0)
  expect(linesOf(errors)).toMatchObject([
    { event: 'not-reached', blockNumber: known.lastFinal + 1 },
    { event: 'started' },
    { event: 'not-moved', message: expect.stringContaining('another audit has recorded a difference') },
  ])
  expect((await table.state())?.auditedBlock).toBeUndefined()
})

test('blocks that a node does not prove: exit code 2, with the reasons', async () => {
  const table = await indexed()
  const proxy = await startFaultProxy(known.chain.rpcUrl, withoutReceipts)
  const part = ['--to-block', '12', '--no-scan', ...JSON_LINES]
  const args = [...chainOf(proxy.url), ...tableOptionsOf(table), ...part]
  const { code, output, errors } = await runCommand('audit', args)
  expect(code).toBe(2)
  const [summary] = linesOf(output) as { blocks: { unproven: number }; reasons: Record<string, number> }[]
  const unproven = summary?.blocks.unproven
  expect(unproven).toBeGreaterThan(5)
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  expect(sum(Object.values(summary?.reasons ?? {}))).toBe(unproven)
  const told = linesOf(errors).filter(({ event }) => event === 'unproven') as Record<string, number>[]
  expect(sum(told.map(({ firstBlock = 0, lastBlock = 0 }) => lastBlock - firstBlock + 1))).toBe(unproven)
})

const withoutReceipts = changeReplies(({ method }, reply) =>
  method === 'eth_getBlockReceipts' ? { ...reply, result: [] } : reply,
)
