import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

export interface CompiledContract {
  abi: Abi
  bytecode: Hex
}

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

const require = createRequire(import.meta.url)

/**
 * Resolves imports from the installed packages. Takes a second or two. Throws an error with the compiler's messages if
 * the contract does not compile.
 */
export function compileContract(name: string, folder: string = import.meta.dirname): CompiledContract {
  const file = `${name}.sol`
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(path.join(folder, file), 'utf8') } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { [file]: { [name]: ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const contract = output.contracts[file]?.[name]
  if (!contract) throw new Error(`${file} has no contract ${name}`)
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}

function readImport(file: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(file), 'utf8') }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
