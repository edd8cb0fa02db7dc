import type { Question } from '../question/question.ts'
import { parameterLabel } from '../show/parameter-labels.ts'

interface RefusalsOptions {
  question: Question
  refusals: ReadonlyMap<string, string>
}

export const Refusals = ({ question, refusals }: RefusalsOptions) => (
  <ul>
    {[...refusals].map(([name, refusal]) => (
      <li key={name}>
        <b>{parameterLabel(name, question)}:</b> {refusal}
      </li>
    ))}
  </ul>
)

/** Explains an invalid or mistyped address or hash. The text must not suggest that nothing happened on chain. */
export function Unmatchable({ question, refusals }: RefusalsOptions) {
  const isHashAlone = refusals.size === 1 && refusals.has('transactionHash')
  return (
    <div class="empty">
      <h4>{isHashAlone ? 'No such transaction hash' : 'No such address'}</h4>
      <p>No event can match this request, but that does not mean that nothing happened:</p>
      <Refusals question={question} refusals={refusals} />
      <p>
        <a href="?">The latest events</a>
      </p>
    </div>
  )
}
