import { type AuditProgress, summaryOf } from '../../../lib/audit/audit-progress.ts'
import { auditChain } from '../../support/audit/audit-chain.ts'
import { damageTable } from '../../support/audit/damage-table.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { liveFrom } from '../../support/chain/chain-life.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { changesFunction } from '../../support/changes/changes-function.ts'
import { createSimpleReader } from '../../support/changes/simple-reader.ts'
import { byId } from '../../support/changes/stored-events.ts'
import { startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { lyingNode } from '../../support/faults/lying-node.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { createRandom } from '../../support/records/random.ts'
import { INDEX_RUN_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'base'
const STEPS = 40

let chain: TestChain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

const named = ({
  missing,
  extra,
  different,
}: {
  missing: string[]
  extra: string[]
  different: string[]
}) => ({
  missing: missing.toSorted(),
  extra: extra.toSorted(),
  different: different.toSorted(),
})

test.each(seeds)(
  'no lie of a node makes a damaged table equal, or an equal event differ: seed %i',
  async seed => {
    const random = createRandom(seed)
    const firstBlock = (await chain.head()) + 1
    await chain.mineEmpty(1)
    const life = liveFrom(chain, { random, firstBlock })
    for (let step = 0; step < STEPS; step++) await life.goOn()
    const tableName = await engine.createEventsTable()
    const place = { endpoint: engine.endpoint, tableName, network: NETWORK } as const
    await indexChain({ ...place, rpcUrls: [chain.rpcUrl] })
    const table = { client: engine.client, tableName }
    const reader = createSimpleReader(changesFunction({ client: engine.reader, tableName }))
    await reader.catchUp()
    const truth = await chainEvents(chain, NETWORK)
    const damaged = await damageTable(table, { truth, random })
    const damage = named({
      missing: [...damaged.missing],
      extra: [...damaged.extra],
      different: [...damaged.different],
    })
    const toBlock = await chain.head()

    const honest = await auditChain({ ...place, rpcUrls: [chain.rpcUrl], toBlock })
    expect({ ...named(honest.summary), unproven: honest.summary.blocks.unproven }).toEqual({
      ...damage,
      unproven: 0,
    })

    for (const [rate, isStubborn] of [
      [0.4, true],
      [0.4, false],
      [0.02, true],
    ] as const) {
      const lies = { random, rate, isStubborn, lies: 'any', knowsFinality: true } as const
      const proxy = await startFaultProxy(chain.rpcUrl, lyingNode(lies))
      try {
        const under = {
          ...place,
          rpcUrls: [proxy.url],
          toBlock,
          lists: random.pick(['scan', 'look-up'] as const),
        }
        const { summary, exitCode, progress } = await auditInParts(under, random)
        const found = [...summary.missing, ...summary.extra, ...summary.different]
        const known = new Set([...damage.missing, ...damage.extra, ...damage.different])
        expect(found.filter(id => !known.has(id))).toEqual([])
        const isWhole = summary.blocks.unproven === 0 && progress.isChecked
        if (isWhole && under.lists === 'scan') expect(named(summary)).toEqual(damage)
        const expected = found.length > 0 ? 1 : isWhole ? 0 : 2
        expect({ seed, rate, exitCode }).toEqual({ seed, rate, exitCode: expected })
        // With the help of an honest node, an audit can prove all blocks except blocks for which the lying node omits
        // transactions.
        const helped = await auditChain({ ...under, rpcUrls: [proxy.url, chain.rpcUrl], lists: 'scan' })
        const { unproven } = helped.summary.blocks
        if (unproven === 0) expect(named(helped.summary)).toEqual(damage)
      } finally {
        await proxy.stop()
      }
    }

    const repaired = await auditChain({ ...place, rpcUrls: [chain.rpcUrl], toBlock, repair: true })
    expect(repaired).toMatchObject({ exitCode: 0, left: [] })
    const { events } = await readIndexedTable(engine.client, tableName, NETWORK)
    expect(events).toEqual(itemsOfAll(truth))
    await reader.catchUp()
    expect(reader.records()).toEqual(byId(truth))
  },
)

/**
 * Runs an audit in parts. The audit is aborted up to three times, each time after some groups of blocks. Each part
 * resumes from the stored progress.
 */
async function auditInParts(
  options: Parameters<typeof auditChain>[0],
  random: ReturnType<typeof createRandom>,
) {
  let begun: AuditProgress | undefined
  for (let part = 0; part < 3; part++) {
    const broken = new AbortController()
    let groupsLeft = random.below(3)
    try {
      const audited = await auditChain({
        ...options,
        ...(begun && { begun }),
        signal: broken.signal,
        onProgress: progress => {
          begun = JSON.parse(JSON.stringify(progress)) as AuditProgress
          groupsLeft -= 1
          if (groupsLeft < 0 && !progress.isChecked) broken.abort(new Error('Broken off'))
        },
      })
      expect(summaryOf(audited.progress)).toEqual(audited.summary)
      return audited
    } catch (error) {
      if (!broken.signal.aborted) throw error
    }
  }
  return auditChain({ ...options, ...(begun && { begun }) })
}
