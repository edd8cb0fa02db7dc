import type { Observer } from './observer.ts'

/** Writes one line of JSON for each call, which is how CloudWatch Logs reads fields. */
export const logObserver: Observer = {
  answered: ({ records, isPartial, plan, ledger }, call) =>
    write('INFO', {
      message: 'answered',
      ...call,
      records: records.length,
      isPartial,
      plan: plan.read,
      ...ledger,
    }),
  refused: call => write('INFO', { message: 'refused', ...call }),
  failed: (error, call) => write('ERROR', { message: 'failed', ...call, error: describe(error) }),
}

function write(level: 'INFO' | 'ERROR', fields: object): void {
  process.stdout.write(`${JSON.stringify({ level, timestamp: new Date().toISOString(), ...fields })}\n`)
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  return { name, message, stack, ...(cause !== undefined && { cause: describe(cause) }) }
}
