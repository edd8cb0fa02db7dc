import { type Question, writeQuestion } from '../question/question.ts'
import { hasRelation, relationFilters, withRelation } from '../question/relation-filters.ts'

/** Links that filter by a relation to the wallet. Without a wallet, the links filter by mints and burns. */
export function RelationBar({ question }: { question: Question }) {
  const filters = relationFilters(question)
  if (filters.length === 0) return null
  return (
    <nav class="relations" aria-label="Relation">
      {[undefined, ...filters].map(filter => (
        <a
          key={filter?.name}
          class="button small"
          href={writeQuestion(withRelation(question, filter)) || '?'}
          title={filter?.meaning ?? 'All events'}
          aria-current={hasRelation(question, filter) ? 'true' : undefined}
        >
          {filter?.name ?? 'All'}
        </a>
      ))}
    </nav>
  )
}
