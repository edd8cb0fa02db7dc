import type { CompiledContract } from '../../../infra/recording/compile-contract.ts'
import { runPart } from '../runner/run-part.ts'

/** The contract of all test chains; compiled once for all files of a run of tests, or here by itself. */
export async function compiledCollectibles(): Promise<CompiledContract> {
  if (process.env.TEST_RUN_PARTS) return runPart('contract', 'Collectibles')
  const { compileContract } = await import('../../../infra/recording/compile-contract.ts')
  return compileContract('Collectibles')
}
