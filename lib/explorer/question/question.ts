import type { TokenQuery } from '../../client/query.ts'

/** What the page shows the events of, as its address line says it: the API's own parameters, and `wallet`. */
export interface Question {
  /** Whose events, in whichever part; without it those of all, as far as the parameters allow. */
  readonly wallet?: string
  /** By the API's names. Names and values that it does not know are kept: it says what is wrong with them. */
  readonly parameters: Parameters
}

export type Parameters = Readonly<Record<string, readonly string[]>>

/** The parameters that the client takes lists of any length for. */
type ListParameter = {
  [Name in keyof TokenQuery]-?: number extends Extract<TokenQuery[Name], readonly unknown[]>['length']
    ? Name
    : never
}[keyof TokenQuery]

/** Of these the values may stand in one list, with commas. */
const LISTS = Object.keys({ event: true, network: true, address: true, minBlock: true } satisfies Record<
  ListParameter,
  true
>)
/** The page counts in any case, has a cursor of its own, and reads JSON. */
const LEFT_OUT = ['count', 'cursor', 'format']

export const EVERYTHING: Question = { parameters: {} }

/** Reads the query of an address line, with or without `?`. */
export function readQuestion(search: string): Question {
  const parameters: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    if (LEFT_OUT.includes(name)) continue
    const values = LISTS.includes(name) ? value.split(',') : [value]
    parameters[name] = [...(parameters[name] ?? []), ...values]
  }
  const { wallet, ...others } = parameters
  const [only, ...more] = wallet ?? []
  // Of two wallets neither can be meant alone: the API is asked, and refuses the name.
  if (!only || more.length > 0) return { parameters }
  return { wallet: only, parameters: others }
}

/** The query of the address line, from `?` on; empty where everything is asked for. */
export function writeQuestion({ wallet, parameters }: Question): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]): [string, string][] =>
    LISTS.includes(name) ? [[name, values.join(',')]] : values.map(value => [name, value]),
  )
  const query = new URLSearchParams(wallet === undefined ? pairs : [['wallet', wallet], ...pairs])
  // Legible, and allowed in a query as they are (RFC 3986, 3.4).
  return query.size === 0 ? '' : `?${query}`.replaceAll('%3A', ':').replaceAll('%2C', ',')
}

/** The same question with other values of some parameters; without values a parameter is left out. */
export function withParameters(question: Question, changes: Parameters): Question {
  const entries = Object.entries({ ...question.parameters, ...changes })
  return { ...question, parameters: Object.fromEntries(entries.filter(([, values]) => values.length > 0)) }
}

/** The one value of a parameter; empty where it has none, or several. */
export function onlyValue({ parameters }: Question, name: string): string {
  const [only, ...more] = parameters[name] ?? []
  return more.length > 0 ? '' : (only ?? '')
}
