import { type Question, withoutFilters, withParameters, writeQuestion } from '../question/question.ts'
import { describeFinality } from '../show/describe-finality.ts'

interface EmptyOptions {
  question: Question
  /** The header `X-Finalized-Through` of the empty answer. */
  finalizedThrough: string | undefined
}

/** The message for an answer without events. Gives possible reasons, and links to other questions. */
export function Empty({ question, finalizedThrough }: EmptyOptions) {
  const { wallet, parameters } = question
  const [address] = parameters.address ?? []
  const subject = withoutFilters(question)
  const isNarrowed = Object.keys(parameters).some(
    name => name !== 'createdAt' && !(name in subject.parameters),
  )
  const noFinality = describeFinality(question, { finalizedThrough })
  const reason =
    'skip' in parameters
      ? 'All matching events are skipped.'
      : 'Nothing that this service has indexed matches.'
  const hasSpan = 'fromTime' in parameters || 'toTime' in parameters
  return (
    <div class="empty">
      <h4>No events</h4>
      <p>{noFinality ?? reason} What to try:</p>
      <ul>
        {noFinality && (
          <li>
            <a href={hrefOf(withParameters(question, { finalized: [] }))}>Also what is not final</a>
          </li>
        )}
        {hasSpan && (
          <li>
            <a href={hrefOf(withParameters(question, { fromTime: [], toTime: [] }))}>Any time</a>
          </li>
        )}
        {isNarrowed && (
          <li>
            <a href={hrefOf(subject)}>Without filters</a>
          </li>
        )}
        {wallet !== undefined && (
          <li>
            <a href={hrefOf({ parameters: { address: [wallet] } })}>The same address as a token contract</a>
          </li>
        )}
        {wallet === undefined && address && (
          <li>
            <a href={hrefOf({ wallet: address, parameters: {} })}>The same address as a wallet</a>
          </li>
        )}
        <li>
          <a href={hrefOf({ parameters: {} })}>The latest events of all</a>
        </li>
      </ul>
      <p class="quiet">Upper and lower case make no difference; one wrong digit does.</p>
    </div>
  )
}

const hrefOf = (question: Question) => writeQuestion(question) || '?'
