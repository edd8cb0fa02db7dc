import {
  filtersOf,
  type Question,
  withoutFilters,
  withParameters,
  writeQuestion,
} from '../question/question.ts'
import { describeFinality } from '../show/describe-finality.ts'

interface EmptyOptions {
  question: Question
  /** The `X-Finalized-Through` header of the empty response. */
  finalizedThrough: string | undefined
}

/** Gives possible reasons for a response without events, and links to other questions. */
export function Empty({ question, finalizedThrough }: EmptyOptions) {
  const { wallet, parameters } = question
  const [address] = parameters.address ?? []
  const noFinality = describeFinality(question, { finalizedThrough })
  const reason = 'skip' in parameters ? 'No match is left after skipping.' : 'No indexed event matches.'
  const hasSpan = 'fromTime' in parameters || 'toTime' in parameters
  const others: [label: string, other: Question | false][] = [
    [
      'Include events that are not final yet',
      noFinality !== undefined && withParameters(question, { finalized: [] }),
    ],
    ['Any time', hasSpan && withParameters(question, { fromTime: [], toTime: [] })],
    ['Without filters', filtersOf(question).length > 0 && withoutFilters(question)],
    ['The same address as a token contract', wallet !== undefined && { parameters: { address: [wallet] } }],
    ['The same address as a wallet', !wallet && !!address && { wallet: address, parameters: {} }],
    ['The latest events', { parameters: {} }],
  ]
  return (
    <div class="empty">
      <h4>No events</h4>
      <p>{noFinality ?? reason} What to try:</p>
      <ul>
        {others.map(
          ([label, other]) =>
            other && (
              <li key={label}>
                <a href={writeQuestion(other) || '?'}>{label}</a>
              </li>
            ),
        )}
      </ul>
      <p class="quiet">
        An address with one wrong digit is another address, but upper and lower case do not matter.
      </p>
    </div>
  )
}
