import { useState } from 'preact/hooks'
import { KIND_LABELS } from '../../../events/event-kinds.ts'
import { CHAINS, NETWORKS } from '../../../events/networks.ts'
import {
  filtersOf,
  onlyValue,
  type Question,
  withOrder,
  withoutFilters,
  withParameters,
} from '../question/question.ts'
import { isNewestFirst } from '../question/request-of.ts'
import { LABELS } from '../show/parameter-labels.ts'
import { focusOn } from '../state/place.ts'
import { useNarrow } from '../state/use-narrow.ts'
import type { Navigate } from '../state/use-question.ts'
import { Choices, Field, TimeField } from './fields.tsx'

interface FilterPanelOptions {
  question: Question
  navigate: Navigate
  refusals: ReadonlyMap<string, string>
}

const NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[]
const TEXTS = NAMES.filter(name => LABELS[name].hint)
const MORE: readonly string[] = ['finalized', ...TEXTS]

/** Every change writes a new question to the page's URL. */
export function FilterPanel({ question, navigate, refusals }: FilterPanelOptions) {
  const [isOpen, setOpen] = useState(false)
  // On a phone, the filters are drawn only when the reader unfolds them.
  const isNarrow = useNarrow()
  const change = (name: string, values: readonly string[]) =>
    navigate(withParameters(question, { [name]: values }))
  const fieldOf = (name: keyof typeof LABELS) => ({
    name,
    ...LABELS[name],
    value: (question.parameters[name] ?? []).join(','),
    refusal: refusals.get(name),
    onChange: (value: string) => change(name, value === '' ? [] : [value]),
  })
  const choicesOf = (name: 'event' | 'network') => ({
    name,
    legend: LABELS[name].label,
    chosen: question.parameters[name] ?? [],
    refusal: refusals.get(name),
    onChange: (values: readonly string[]) => change(name, values),
  })
  const clear = () => {
    navigate(withoutFilters(question))
    focusOn('subject')
  }
  const filters = filtersOf(question)
  return (
    <form class="filters" aria-label="Filters" onSubmit={event => event.preventDefault()}>
      <button
        type="button"
        class="button unfold"
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => setOpen(!isOpen)}
      >
        Filters{filters.length > 0 && ` (${filters.length})`}
      </button>
      <div id="filters" class={isOpen ? 'is-open' : ''}>
        {(isOpen || !isNarrow) && (
          <>
            <Choices labels={Object.entries(KIND_LABELS)} {...choicesOf('event')} />
            <Choices
              labels={NETWORKS.map(network => [network, CHAINS[network].label])}
              {...choicesOf('network')}
            />
            <fieldset>
              <legend>Time (UTC)</legend>
              <TimeField {...fieldOf('fromTime')} />
              <TimeField {...fieldOf('toTime')} />
            </fieldset>
            <label class="field">
              {LABELS.createdAt.label}
              <select
                value={isNewestFirst(question) ? 'desc' : 'asc'}
                onChange={({ currentTarget: { value } }) => navigate(orderedBy(value, question))}
              >
                <option value="desc">Newest first</option>
                <option value="asc">Oldest first</option>
              </select>
            </label>
            <details
              class="more"
              open={filters.some(name => MORE.includes(name)) || MORE.some(name => refusals.has(name))}
            >
              <summary>More filters</summary>
              {TEXTS.filter(name => name !== 'user' || question.wallet === undefined).map(name => (
                <Field key={name} {...fieldOf(name)} />
              ))}
              <label class="check">
                <input
                  type="checkbox"
                  checked={onlyValue(question, 'finalized') === 'true'}
                  onChange={({ currentTarget: { checked } }) => change('finalized', checked ? ['true'] : [])}
                />
                {LABELS.finalized.label}
              </label>
            </details>
            {filters.length > 0 && (
              <button type="button" class="button" onClick={clear}>
                Clear filters
              </button>
            )}
          </>
        )}
      </div>
    </form>
  )
}

/** The default order is not written to the URL. */
function orderedBy(order: string, question: Question): Question {
  const byDefault = withOrder(question, [])
  return isNewestFirst(byDefault) === (order === 'desc') ? byDefault : withOrder(question, [order])
}
