import { useFaultProxies } from '../faults/fault-proxy.ts'
import { knowNodeErrors } from '../programs/know-node-errors.ts'
import { useEngine } from '../store/engine.ts'
import { indexedTable, useAuditedChain } from './audited-table.ts'

/** A chain, an engine, and proxies for both. `indexed` indexes the chain into a new table. Call where jest accepts hooks. */
export function useAuditedTables() {
  knowNodeErrors()
  const engine = useEngine()
  const known = useAuditedChain()
  return {
    engine,
    known,
    startFaultProxy: useFaultProxies(),
    indexed: (options?: Parameters<typeof indexedTable>[2]) => indexedTable(known, engine, options),
  }
}
