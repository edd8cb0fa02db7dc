import type { CompiledContract } from '../../../infra/recording/compile-contract.ts'
import { runPart } from '../runner/run-part.ts'

/** `NAME.sol` of `infra/recording`, or of another folder; compiled once for all files of a run of tests, or here by itself. */
export async function compiledContract(name: string, folder?: string): Promise<CompiledContract> {
  if (process.env.TEST_RUN_PARTS) return runPart('contract', { name, folder })
  const { compileContract } = await import('../../../infra/recording/compile-contract.ts')
  return compileContract(name, folder)
}
