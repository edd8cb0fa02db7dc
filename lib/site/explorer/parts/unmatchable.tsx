import type { Question } from '../question/question.ts'
import { parameterLabel } from '../show/parameter-labels.ts'

interface RefusalsOptions {
  question: Question
  /** What is wrong with each parameter, by parameter name. */
  refusals: ReadonlyMap<string, string>
}

/** Lists what is wrong with each parameter, under the page's names for the parameters. */
export const Refusals = ({ question, refusals }: RefusalsOptions) => (
  <ul>
    {[...refusals].map(([name, refusal]) => (
      <li key={name}>
        <b>{parameterLabel(name, question)}:</b> {refusal}
      </li>
    ))}
  </ul>
)

/**
 * The message for a response that is empty because an address or a hash is invalid or mistyped. It must not suggest
 * that nothing happened on chain.
 */
export function Unmatchable({ question, refusals }: RefusalsOptions) {
  const isHashAlone = refusals.size === 1 && refusals.has('transactionHash')
  return (
    <div class="empty">
      <h4>{isHashAlone ? 'No such transaction hash' : 'No such address'}</h4>
      <p>No event can match this, which does not mean that nothing happened:</p>
      <Refusals question={question} refusals={refusals} />
      <p>
        <a href="?">The latest events</a>
      </p>
    </div>
  )
}
