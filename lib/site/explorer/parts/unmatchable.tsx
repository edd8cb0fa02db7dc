import type { Question } from '../question/question.ts'
import { parameterLabel } from '../show/parameter-labels.ts'

interface RefusalsOptions {
  question: Question
  /** What is wrong with each parameter, by the parameter's name. */
  refusals: ReadonlyMap<string, string>
}

/** The faults of parameters, with the page's names of the parameters. */
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
 * The message for an answer that is empty because an address or a hash is invalid or mistyped. The reader must not
 * conclude from it that nothing happened on chain.
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
