import { LISTS as LIST_NAMES } from '../../../client/parameters.ts'

/**
 * The query whose results the page shows. The page's URL contains the query, as parameters with the API's names, plus
 * `wallet`.
 */
export interface Question {
  /** The wallet, in any role of an event. Undefined if the question is not about one wallet's events. */
  readonly wallet?: string
  /**
   * The parameters, with the API's names. Unknown names and invalid values are kept, because the API explains what is
   * wrong with them.
   */
  readonly parameters: Parameters
}

export type Parameters = Readonly<Record<string, readonly string[]>>

/** The parameters whose values may form one list, separated by commas. */
const LISTS: readonly string[] = LIST_NAMES
/**
 * Parameters of the API that the page ignores. The page always counts, manages its own cursor, and always reads JSON.
 */
const LEFT_OUT = ['count', 'cursor', 'format']

/** Reads a question from the query of the page's URL, with or without `?`. */
export function readQuestion(search: string): Question {
  // A map, because every object already has a property `constructor`, which a URL may name.
  const given = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    if (LEFT_OUT.includes(name)) continue
    const values = LISTS.includes(name) ? value.split(',') : [value]
    given.set(name, [...(given.get(name) ?? []), ...values])
  }
  const [wallet, ...more] = given.get('wallet') ?? []
  // With two wallets the question is ambiguous. `wallet` then stays a parameter, and the API rejects the unknown name.
  if (!wallet || more.length > 0) return { parameters: Object.fromEntries(given) }
  given.delete('wallet')
  return { wallet, parameters: Object.fromEntries(given) }
}

/** The query of the page's URL, including `?`. Empty for a question about all events. */
export function writeQuestion({ wallet, parameters }: Question): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]): [string, string][] =>
    LISTS.includes(name) ? [[name, values.join(',')]] : values.map(value => [name, value]),
  )
  const query = new URLSearchParams(wallet === undefined ? pairs : [['wallet', wallet], ...pairs])
  // `:` and `,` stay unescaped, because they are easier to read and RFC 3986 (3.4) allows them in a query.
  return query.size === 0 ? '' : `?${query}`.replaceAll('%3A', ':').replaceAll('%2C', ',')
}

/** Returns the question with other values of some parameters. A parameter without values is removed. */
export function withParameters(question: Question, changes: Parameters): Question {
  const entries = Object.entries({ ...question.parameters, ...changes })
  return { ...question, parameters: Object.fromEntries(entries.filter(([, values]) => values.length > 0)) }
}

/** The parameters that identify the subject of a question without a wallet. */
const SUBJECT_PARAMETERS: readonly string[] = ['address', 'tokenId', 'transactionHash']

/** Whether the question is about all events of a transaction. */
export const isWholeTransaction = ({ wallet, parameters }: Question): boolean =>
  wallet === undefined && Object.keys(parameters).join() === 'transactionHash'

/** Removes the filters and keeps the subject. A block is the subject of a question that has no other. */
export function withoutFilters(question: Question): Question {
  const { wallet, parameters } = question
  if (wallet !== undefined) return { wallet, parameters: {} }
  const pick = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)))
  const subject = pick(SUBJECT_PARAMETERS)
  const isBlock = Object.keys(subject).length === 0 && onlyBlock(question) !== ''
  return { parameters: isBlock ? pick(['fromBlock', 'toBlock']) : subject }
}

/** The names of the filters: of all parameters that are neither the subject nor the order. */
export function filtersOf(question: Question): string[] {
  const { parameters: subject } = withoutFilters(question)
  return Object.keys(question.parameters).filter(
    name => name !== 'createdAt' && !Object.hasOwn(subject, name),
  )
}

/** The only value of a parameter. Empty if the parameter has no value or several values. */
export function onlyValue({ parameters }: Question, name: string): string {
  const [only, ...more] = parameters[name] ?? []
  return more.length > 0 ? '' : (only ?? '')
}

/** The only block of the question. Empty if the question is about several blocks or all blocks. */
export function onlyBlock(question: Question): string {
  const [from, to] = [onlyValue(question, 'fromBlock'), onlyValue(question, 'toBlock')]
  return from === to ? from : ''
}

/** The question's token id, in the decimal digits that records have. A URL may write the id in hex. */
export function tokenIdOf(question: Question): string | undefined {
  const given = onlyValue(question, 'tokenId')
  return /^(\d+|0x[\da-f]+)$/i.test(given) ? String(BigInt(given)) : undefined
}
