import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import type { Question } from '../question/question.ts'
import { EventRow } from './event-row.tsx'
import { EventSentence } from './event-sentence.tsx'

interface EventTableOptions {
  question: Question
  occurrences: readonly Occurrence[]
  nowMs: number
}

const COLUMNS = ['Event', 'Time (UTC)', 'From and to', 'Token', 'Network, transaction', 'More']
/** The columns for the events of a transaction. The transaction's time and network are shown above the table. */
const SENTENCE_COLUMNS = ['Log', 'What happened', 'More']

/** Roles are explicit, because some browsers drop implicit roles if CSS changes `display`, as for cards on a phone. */
export function EventTable({ question, occurrences, nowMs }: EventTableOptions) {
  const isOfTransaction = 'transactionHash' in question.parameters
  // Rows are cached, so that a new page does not draw earlier rows again. A cached row is replaced only if a later page
  // adds a record to its occurrence, or if a reorganisation moves one of its records to another block.
  const rows = useMemo(() => new Map<string, { records: Occurrence['records']; row: VNode }>(), [question])
  const rowOf = (occurrence: Occurrence) => {
    const { id, records } = occurrence
    const known = rows.get(id)
    if (known?.records.length === records.length && known.records[0] === records[0]) return known.row
    const row = isOfTransaction ? (
      <EventSentence key={id} occurrence={occurrence} question={question} />
    ) : (
      <EventRow key={id} occurrence={occurrence} question={question} nowMs={nowMs} />
    )
    rows.set(id, { records, row })
    return row
  }
  return (
    <table role="table" class={isOfTransaction ? 'events sentences' : 'events'} aria-label="Events">
      <thead role="rowgroup">
        <tr role="row">
          {(isOfTransaction ? SENTENCE_COLUMNS : COLUMNS).map(name => (
            <th key={name} role="columnheader" scope="col">
              <span class={name === 'More' ? 'unseen' : ''}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      {occurrences.map(rowOf)}
    </table>
  )
}
