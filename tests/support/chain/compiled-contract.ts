import type { CompiledContract } from '../../../infra/recording/compile-contract.ts'
import { runPart } from '../runner/run-part.ts'

/**
 * Returns the compiled `NAME.sol` of `infra/recording` or of another folder. In a run of tests, a contract is compiled
 * once for all test files. Outside a run of tests, each call compiles.
 */
export async function compiledContract(name: string, folder?: string): Promise<CompiledContract> {
  if (process.env.TEST_RUN_PARTS) return runPart('contract', { name, folder })
  const { compileContract } = await import('../../../infra/recording/compile-contract.ts')
  return compileContract(name, folder)
}
