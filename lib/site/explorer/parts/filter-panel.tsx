import { useState } from 'preact/hooks'
import { CHAINS, NETWORKS } from '../../../events/networks.ts'
import { KINDS, kindLabel } from '../occurrence/kind-labels.ts'
import {
  filtersOf,
  onlyValue,
  type Question,
  withoutFilters,
  withoutOrder,
  withParameters,
} from '../question/question.ts'
import { isNewestFirst } from '../question/request-of.ts'
import { PARAMETER_LABELS } from '../show/parameter-labels.ts'
import { focusOn } from '../state/place.ts'
import { useNarrow } from '../state/use-narrow.ts'
import type { Navigate } from '../state/use-question.ts'
import { Choices } from './choices.tsx'
import { Field, TimeField } from './fields.tsx'

interface FilterPanelOptions {
  question: Question
  navigate: Navigate
  /** The message for each invalid parameter, by parameter name. */
  refusals: ReadonlyMap<string, string>
}

const ADDRESSES = ['address', 'from', 'to', 'operator', 'creator', 'initialOwner', 'owner', 'user'] as const
const NUMBERS = ['tokenId', 'fromBlock', 'toBlock'] as const
const MORE: readonly string[] = ['finalized', ...ADDRESSES, ...NUMBERS, 'transactionHash']

/** Every change writes a new question to the page's URL. */
export function FilterPanel({ question, navigate, refusals }: FilterPanelOptions) {
  const [isOpen, setOpen] = useState(false)
  // On a phone, the filters are drawn only when the reader unfolds them.
  const isNarrow = useNarrow()
  const change = (name: string, values: readonly string[]) =>
    navigate(withParameters(question, { [name]: values }))
  const fieldOf = (name: keyof typeof PARAMETER_LABELS) => ({
    name,
    label: PARAMETER_LABELS[name],
    value: (question.parameters[name] ?? []).join(','),
    refusal: refusals.get(name),
    onChange: (value: string) => change(name, value === '' ? [] : [value]),
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
            <Choices
              legend={PARAMETER_LABELS.event}
              name="event"
              labels={KINDS.map(kind => [kind, kindLabel(kind)])}
              chosen={question.parameters.event ?? []}
              refusal={refusals.get('event')}
              onChange={values => change('event', values)}
            />
            <Choices
              legend={PARAMETER_LABELS.network}
              name="network"
              labels={NETWORKS.map(network => [network, CHAINS[network].label])}
              chosen={question.parameters.network ?? []}
              refusal={refusals.get('network')}
              onChange={values => change('network', values)}
            />
            <fieldset>
              <legend>Time (UTC)</legend>
              <TimeField {...fieldOf('fromTime')} />
              <TimeField {...fieldOf('toTime')} />
            </fieldset>
            <label class="field">
              {PARAMETER_LABELS.createdAt}
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
              {ADDRESSES.filter(name => name !== 'user' || question.wallet === undefined).map(name => (
                <Field key={name} hint="0x…" {...fieldOf(name)} />
              ))}
              {NUMBERS.map(name => (
                <Field key={name} hint="0" {...fieldOf(name)} />
              ))}
              <Field hint="0x…" {...fieldOf('transactionHash')} />
              <label class="check">
                <input
                  type="checkbox"
                  checked={onlyValue(question, 'finalized') === 'true'}
                  onChange={({ currentTarget: { checked } }) => change('finalized', checked ? ['true'] : [])}
                />
                {PARAMETER_LABELS.finalized}
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
  const byDefault = withoutOrder(question)
  const isDefault = isNewestFirst(byDefault) === (order === 'desc')
  return isDefault ? byDefault : withParameters(byDefault, { createdAt: [order] })
}
