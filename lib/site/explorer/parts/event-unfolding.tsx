import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { EventDetails } from './event-details.tsx'

interface EventUnfoldingOptions {
  occurrence: Occurrence
  /** The number of columns, including the column of the button. */
  columns: number
  children: ComponentChildren
}

/** A table row with a button that shows all records of the occurrence in a second row below. */
export function EventUnfolding({ occurrence: { id, records }, columns, children }: EventUnfoldingOptions) {
  const [isOpen, setOpen] = useState(false)
  const detailsId = `details-${id}`
  return (
    <tbody role="rowgroup">
      <tr role="row" data-id={id} data-ids={records.map(record => record.id).join(' ')}>
        {children}
        <td role="cell" class="open">
          <button
            type="button"
            class="button small"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setOpen(!isOpen)}
          >
            Details
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr role="row" class="details" id={detailsId}>
          <td role="cell" colSpan={columns}>
            {records.map(record => (
              <EventDetails key={record.id} record={record} />
            ))}
          </td>
        </tr>
      )}
    </tbody>
  )
}
