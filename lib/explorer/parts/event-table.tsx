import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { EventRecord } from '../../client/records.ts'
import type { Question } from '../question/question.ts'
import { EventRow } from './event-row.tsx'

interface EventTableOptions {
  question: Question
  records: readonly EventRecord[]
  nowMs: number
}

const COLUMNS = ['Event', 'Time (UTC)', 'From and to', 'Token', 'Network and transaction', 'More']

/**
 * The events, one below the other; on a phone each becomes a card. The roles say what it is also where its style makes
 * a browser forget that.
 */
export function EventTable({ question, records, nowMs }: EventTableOptions) {
  // A record is read for one question and never changes, and neither does its row: a long list is not drawn anew with each page.
  const rows = useRef(new WeakMap<EventRecord, VNode>())
  const rowOf = (record: EventRecord) => {
    const row = rows.current.get(record) ?? (
      <EventRow key={record.id} record={record} question={question} nowMs={nowMs} />
    )
    rows.current.set(record, row)
    return row
  }
  return (
    <table role="table" class="events" aria-label="Events">
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map(name => (
            <th key={name} role="columnheader" scope="col">
              <span class={name === 'More' ? 'unseen' : ''}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      {records.map(rowOf)}
    </table>
  )
}
