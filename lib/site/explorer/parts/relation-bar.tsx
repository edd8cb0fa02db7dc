import { type Question, writeQuestion } from '../question/question.ts'
import {
  hasRelation,
  type RelationFilter,
  relationFilters,
  withRelation,
} from '../question/relation-filters.ts'

/** Links that filter by a relation to the wallet. Without a wallet, the links filter by mints and burns. */
export function RelationBar({ question }: { question: Question }) {
  const filters = relationFilters(question)
  if (filters.length === 0) return null
  return (
    <nav class="relations" aria-label="Relation">
      <Choice question={question} />
      {filters.map(filter => (
        <Choice key={filter.name} question={question} filter={filter} />
      ))}
    </nav>
  )
}

const Choice = ({ question, filter }: { question: Question; filter?: RelationFilter }) => (
  <a
    class="button small"
    href={writeQuestion(withRelation(question, filter)) || '?'}
    title={filter?.meaning ?? 'All events'}
    aria-current={hasRelation(question, filter) ? 'true' : undefined}
  >
    {filter?.name ?? 'All'}
  </a>
)
