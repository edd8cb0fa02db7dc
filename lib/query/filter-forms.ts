import type * as z from 'zod/mini'
import type { EventKind } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import { equalsOneOf, type Test } from './condition.ts'
import type { Resource } from './endpoints.ts'

export type FieldsByKind = Partial<Record<EventKind, readonly string[]>>

/** Facts about the query's other filters, on which the choice of lists depends. */
export interface AskedBeside {
  /** The kind of every match, or undefined if several kinds can match. */
  kind: EventKind | undefined
  /** The token contract, or undefined if the query names no contract or several. */
  token: string | undefined
}

/** Facts about the query and the chains, on which a filter's test depends. */
export interface TestContext {
  /** The fields that the test reads in records of the kinds that can match. */
  fields: readonly string[]
  finalThrough: ReadonlyMap<Network, number> | undefined
  /** If true, the planner has already checked that the filter `blockNumber` is within the requested span of blocks. */
  isBlockGiven: boolean
}

/** Facts that hold for every event of a list. */
interface KnownOfList {
  kinds: readonly EventKind[]
  /** Each entry states that, in every event of the list, at least one of `fields` has one of the values in `anyOf`. */
  equal: readonly { fields: FieldsByKind; anyOf: readonly unknown[] }[]
}

/** The only definition of how a filter tests events. `Given` is a parsed value, and `Value` is compared with events. */
export interface Filter<Given, Value> {
  endpoints: readonly Resource[]
  schema: z.ZodMiniType<Given, string>
  /** Returns the form that records use, or undefined for a valid value that no record can have. */
  normalise: (given: Given) => Value | undefined
  /** The maximum number of values, by default one. An event matches if it has any of the values. */
  maxValues?: number
  /** Whether the value restricts the answer. For example, `finalized=false` does not. */
  asks?: (given: Given) => boolean
  /** The name of another filter that must be sent together with this filter. */
  needs?: string
  /** Set only if the filter is the start of a span. `name` is the filter for the end of the span. */
  until?: { name: 'toTime' | 'toBlock'; compare: (from: Given, to: Given) => number }
  /** For each kind, the fields that the test reads. Events of a kind without fields never match. */
  fields: FieldsByKind
  /** Returns the test of a row, or undefined if the plan reads only rows that pass the test. */
  test: (values: readonly Value[], context: TestContext) => Test | undefined
  /** Whether events of `kind`, which has an entry in `fields`, can match. By default, they can. */
  allows?: (values: readonly Value[], kind: EventKind) => boolean
  /**
   * Whether all events of a list are known to match. If so, the list's rows need no test. By default, all rows are
   * tested.
   */
  isImplied?: (values: readonly Value[], known: KnownOfList) => boolean
  /** Returns lists that each contain every match. */
  lists?: (value: Value, beside: AskedBeside) => EventList[]
  meaning: string
  /** A value for the documentation. By default, the value of the filter's first field in an example record. */
  example?: string | number
  /** The filter's names in other services, in lower case and without `_` and `-`. */
  otherNames: readonly string[]
}

export const filter = <Given, Value>(row: Filter<Given, Value>) => row

/** At least one field must equal one of the values. A field that is a list must contain one of the values. */
export const fieldFilter = <Given, Value>({ fields, ...row }: Omit<Filter<Given, Value>, 'test'>) =>
  filter<Given, Value>({
    test: (values, context) => equalsOneOf(context.fields, values),
    isImplied: (values, { kinds, equal }) =>
      equal.some(
        known =>
          known.anyOf.every(value => values.includes(value as Value)) &&
          kinds.every(kind => known.fields[kind]?.every(field => fields[kind]?.includes(field)) ?? true),
      ),
    fields,
    ...row,
  })
