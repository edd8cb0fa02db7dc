import { createEventsClient, type ExportFormat } from '../../client/create-events-client.ts'
import { explainAbsence } from '../../kit/explain-absence.ts'
import { counted } from '../../kit/printable.ts'
import { displayProgress, type Progress } from '../../kit/progress-display.ts'
import type { Reporter } from '../../kit/reporter.ts'
import { type AuthorizeOptions, authorizeBy } from '../../kit/service-options.ts'
import type { ExportFile, ExportState } from './export-file.ts'
import type { ExportRequest } from './read-export-request.ts'

interface Exporting {
  request: ExportRequest
  format: ExportFormat
  caller: AuthorizeOptions
  signal: AbortSignal
  reporter: Reporter
}

/** The retries take about three minutes in total. A longer failure needs a person's attention. */
const RETRIES = 12

const FIRST_TIMEOUT_MS = 15_000

/** Throws the client's errors, and a one-line error if no service responds at the address. */
export async function exportWithDisplay(file: ExportFile, exporting: Exporting): Promise<void> {
  const { request, format, caller, signal, reporter } = exporting
  const authorize = await authorizeBy(caller)
  const absence = await explainAbsence(request.baseUrl, { timeoutMs: FIRST_TIMEOUT_MS, authorize, signal })
  if (absence !== undefined) throw new Error(absence)
  const client = createEventsClient(request.baseUrl, { retries: RETRIES, ...(authorize && { authorize }) })
  const query = { ...request.query, cursor: file.state.cursor }
  const options = { format, signal, ...(format === 'csv' && { header: file.firstLine }) }
  const parts =
    request.endpoint === 'user-events'
      ? client.exportUserEvents(request.address, query, options)
      : client.exportTokenEvents(query, options)
  const begun = { at: performance.now(), records: file.state.records }
  const display = displayProgress(reporter, () => progressOf(file.state, begun))
  try {
    for await (const part of parts) {
      if (part.unmatchable) reportUnmatchable(part.unmatchable, reporter)
      file.append(part)
    }
  } finally {
    display.stop()
  }
}

/** Without this message, a mistyped address would look like an empty wallet. */
function reportUnmatchable(parameters: readonly string[], reporter: Reporter) {
  const message = `No event can match ${parameters.join(', ')}: an address must be 0x and 40 hex digits, and a hash must be 0x and 64 hex digits`
  reporter.tell({ event: 'unmatchable', level: 'warn', parameters, message })
}

/** The service counts at most ten thousand records, so if there are more, the remaining time is unknown. */
function progressOf(
  { records, total, totalAtLeast }: ExportState,
  begun: { at: number; records: number },
): Progress {
  const seconds = Math.max(1, performance.now() - begun.at) / 1000
  const eventsPerSecond = Math.round((records - begun.records) / seconds)
  const exact = total === undefined ? '? events' : counted(total, 'event')
  const whole = totalAtLeast === undefined ? exact : `more than ${counted(totalAtLeast, 'event')}`
  return {
    done: records,
    total: Math.max(records, total ?? totalAtLeast ?? 0),
    message: `Exporting: ${records} of ${whole}, ${eventsPerSecond}/s`,
    fields: { events: records, total, totalAtLeast, eventsPerSecond },
  }
}
