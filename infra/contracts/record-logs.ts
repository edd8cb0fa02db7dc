/** `npm run record-logs`: makes the recorded part of the bundled data once more, the same every time. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RecordingPlan, recordNetwork } from './record-network.ts'

const RECORDED = fileURLToPath(new URL('../local/data/recorded.ndjson', import.meta.url))
/** 1 July 2024, noon UTC: behind all real logs of the same networks in the bundled data. */
const START = 1_719_835_200

/**
 * The chain ids, and about the block numbers, that the real chains had then, and their pace. Of bnb-chain
 * and arbitrum there are no real logs, so more happens there.
 */
const PLANS: Omit<RecordingPlan, 'startSeconds'>[] = [
  { network: 'bnb-chain', chainId: 56, firstBlock: 40_080_000, blockSeconds: 3, rounds: 3 },
  { network: 'arbitrum', chainId: 42_161, firstBlock: 227_600_000, blockSeconds: 0.25, rounds: 3 },
  { network: 'polygon', chainId: 137, firstBlock: 58_820_000, blockSeconds: 2, rounds: 1 },
  { network: 'base', chainId: 8453, firstBlock: 16_520_000, blockSeconds: 2, rounds: 1 },
  { network: 'ethereum', chainId: 1, firstBlock: 20_212_000, blockSeconds: 12, rounds: 1 },
]

const lines: string[] = []
for (const plan of PLANS) {
  const logs = await recordNetwork({ ...plan, startSeconds: START })
  console.log(`${plan.network}: ${logs.length} logs`)
  lines.push(...logs.map(log => JSON.stringify(log)))
}
writeFileSync(RECORDED, `${lines.join('\n')}\n`)
console.log(`${lines.length} logs in ${relative(process.cwd(), RECORDED)}`)
