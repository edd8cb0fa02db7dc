import { useState } from 'preact/hooks'
import { CHAINS, NETWORKS } from '../../../events/networks.ts'
import { KINDS, kindLabel } from '../occurrence/kind-labels.ts'
import {
  onlyValue,
  type Question,
  SUBJECT_PARAMETERS,
  withoutFilters,
  withParameters,
} from '../question/question.ts'
import { isNewestFirst } from '../question/request-of.ts'
import { focusSubject } from '../state/focus-subject.ts'
import { useNarrow } from '../state/use-narrow.ts'
import type { Navigate } from '../state/use-question.ts'
import { Choices } from './choices.tsx'
import { Field, TimeField } from './fields.tsx'

interface FilterPanelOptions {
  question: Question
  navigate: Navigate
  /** The message for each parameter with a fault, by the parameter's name. */
  refusals: ReadonlyMap<string, string>
}

/** The parameters that contain addresses, each with its label on the page. */
const ADDRESSES = [
  ['address', 'Token contract'],
  ['from', 'From address'],
  ['to', 'To address'],
  ['operator', 'Operator'],
  ['creator', 'Creator'],
  ['initialOwner', 'First owner'],
  ['owner', 'Owner'],
  ['user', 'In any part'],
] as const
const NUMBERS = [
  ['tokenId', 'Token id, with its contract'],
  ['fromBlock', 'From block'],
  ['toBlock', 'To block'],
] as const
const MORE = ['finalized', ...[...ADDRESSES, ...NUMBERS].map(([name]) => name)].filter(
  name => !SUBJECT_PARAMETERS.includes(name),
)

/** The filters of the question. Every change writes a new question into the page's URL. */
export function FilterPanel({ question, navigate, refusals }: FilterPanelOptions) {
  const [isOpen, setOpen] = useState(false)
  // A phone draws the filters only when the reader unfolds them.
  const isNarrow = useNarrow()
  const change = (name: string, values: readonly string[]) =>
    navigate(withParameters(question, { [name]: values }))
  const fieldOf = (name: string) => ({
    name,
    value: (question.parameters[name] ?? []).join(','),
    refusal: refusals.get(name),
    onChange: (value: string) => change(name, value === '' ? [] : [value]),
  })
  const given = Object.keys(question.parameters).length
  return (
    <form class="filters" aria-label="Filters" onSubmit={event => event.preventDefault()}>
      <button
        type="button"
        class="button unfold"
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => setOpen(!isOpen)}
      >
        Filters{given > 0 && ` (${given})`}
      </button>
      <div id="filters" class={isOpen ? 'is-open' : ''}>
        {(isOpen || !isNarrow) && (
          <>
            <Choices
              legend="Events"
              name="event"
              labels={KINDS.map(kind => [kind, kindLabel(kind)])}
              chosen={question.parameters.event ?? []}
              refusal={refusals.get('event')}
              onChange={values => change('event', values)}
            />
            <Choices
              legend="Networks"
              name="network"
              labels={NETWORKS.map(network => [network, CHAINS[network].label])}
              chosen={question.parameters.network ?? []}
              refusal={refusals.get('network')}
              onChange={values => change('network', values)}
            />
            <fieldset>
              <legend>Time (UTC)</legend>
              <TimeField label="From" {...fieldOf('fromTime')} />
              <TimeField label="To" {...fieldOf('toTime')} isEnd />
            </fieldset>
            <label class="field">
              Order
              <select
                value={isNewestFirst(question) ? 'desc' : 'asc'}
                onChange={({ currentTarget: { value } }) =>
                  navigate(withParameters(question, orderedBy(value, question)))
                }
              >
                <option value="desc">Newest first</option>
                <option value="asc">Oldest first</option>
              </select>
            </label>
            <details
              class="more"
              open={
                MORE.some(name => name in question.parameters) ||
                [...MORE, ...SUBJECT_PARAMETERS].some(name => refusals.has(name))
              }
            >
              <summary>More filters</summary>
              {ADDRESSES.filter(([name]) => name !== 'user' || question.wallet === undefined).map(
                ([name, label]) => (
                  <Field key={name} label={label} hint="0x…" {...fieldOf(name)} />
                ),
              )}
              {NUMBERS.map(([name, label]) => (
                <Field key={name} label={label} hint="0" {...fieldOf(name)} />
              ))}
              <Field label="Transaction" hint="0x…" {...fieldOf('transactionHash')} />
              <label class="check">
                <input
                  type="checkbox"
                  checked={onlyValue(question, 'finalized') === 'true'}
                  onChange={({ currentTarget: { checked } }) => change('finalized', checked ? ['true'] : [])}
                />
                Only what is final
              </label>
            </details>
            {given > 0 && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  navigate(withoutFilters(question))
                  focusSubject()
                }}
              >
                Clear filters
              </button>
            )}
          </>
        )}
      </div>
    </form>
  )
}

/** The parameters of an order. Removes an order by block number, and keeps a filter by block number. */
const orderedBy = (order: string, { parameters: { blockNumber = [] } }: Question) => ({
  createdAt: order === 'asc' ? ['asc'] : [],
  blockNumber: blockNumber.filter(value => value !== 'asc' && value !== 'desc'),
})
