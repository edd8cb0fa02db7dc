/** `npm run record-logs`: recreates the bundled events of local chains, always with the same result. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCommand } from '../../lib/kit/create-command.ts'
import { counted } from '../../lib/kit/printable.ts'
import { compileContract } from '../recording/compile-contract.ts'
import { RECORDING_PLANS, recordNetwork } from '../recording/record-network.ts'

const RECORDED = fileURLToPath(new URL('../local/data/recorded.ndjson', import.meta.url))

await createCommand('record-logs')
  .description(
    'Recreates the part of the bundled data that comes from local chains, always with the same result.',
  )
  .action(recordLogs)
  .parseAsync()

async function recordLogs() {
  const contract = compileContract('Collectibles')
  const lines: string[] = []
  for (const plan of RECORDING_PLANS) {
    const logs = await recordNetwork(plan, contract)
    console.log(`${plan.network}: ${counted(logs.length, 'log')}`)
    lines.push(...logs.map(log => JSON.stringify(log)))
  }
  writeFileSync(RECORDED, `${lines.join('\n')}\n`)
  console.log(`${counted(lines.length, 'log')} in ${relative(process.cwd(), RECORDED)}`)
}
