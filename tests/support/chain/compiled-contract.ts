import type { CompiledContract } from '../../../infra/recording/compile-contract.ts'
import { runPart } from '../runner/run-part.ts'

/**
 * The compiled `NAME.sol` from `infra/recording` or another folder. A test run compiles each contract once for all test
 * files; outside a test run, each call compiles it.
 */
export async function compiledContract(name: string, folder?: string): Promise<CompiledContract> {
  if (process.env.TEST_RUN_PARTS) return runPart('contract', { name, folder })
  const { compileContract } = await import('../../../infra/recording/compile-contract.ts')
  return compileContract(name, folder)
}
