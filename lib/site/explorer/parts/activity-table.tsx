import { KIND_LABELS } from '../../../events/event-kinds.ts'
import type { Span } from '../activity/cut-bars.ts'
import { type Activity, kindsIn, totalOf } from '../activity/read-activity.ts'
import { groupDigits } from '../show/short-texts.ts'
import { spanLabel } from '../show/times.ts'

/** Omits empty spans. A click on a span narrows the view to that span. */
export function ActivityTable({ activity, narrow }: { activity: Activity; narrow: (span: Span) => void }) {
  const kinds = kindsIn(activity)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that arrow keys scroll it.
    <section class="scrolls" tabIndex={0} aria-label="Events over time">
      <table>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            {kinds.map(kind => (
              <th key={kind} scope="col">
                {KIND_LABELS[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {activity.bars
            .filter(bar => totalOf(bar) > 0)
            .map(bar => (
              <tr key={bar.from}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => narrow(bar)}>
                    {spanLabel(bar)}
                  </button>
                </th>
                {kinds.map(kind => (
                  <td key={kind}>
                    {bar.isAtLeast && '≥ '}
                    {groupDigits(bar.counts.get(kind) ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
