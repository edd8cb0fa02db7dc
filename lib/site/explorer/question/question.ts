import { LISTS as LIST_NAMES } from '../../../client/parameters.ts'

/**
 * What the page shows. The page's URL contains the question as parameters, which have the API's names, except `wallet`.
 */
export interface Question {
  /** The wallet, in any role of an event. Undefined if the question is not about a wallet. */
  readonly wallet?: string
  /** Unknown names and invalid values are kept, because the API explains what is wrong with them. */
  readonly parameters: Parameters
}

export type Parameters = Readonly<Record<string, readonly string[]>>

const LISTS: readonly string[] = LIST_NAMES
/** The page's URL cannot set these parameters, because the page chooses their values itself. */
const LEFT_OUT = ['count', 'cursor', 'format']

/** `search` may begin with `?`. */
export function readQuestion(search: string): Question {
  // A map, because every object already has a `constructor` property, and a URL may contain a parameter with this name.
  const given = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    if (LEFT_OUT.includes(name)) continue
    const values = LISTS.includes(name) ? value.split(',') : [value]
    given.set(name, [...(given.get(name) ?? []), ...values])
  }
  const [wallet, ...more] = given.get('wallet') ?? []
  // If the wallet is empty or given twice, `wallet` stays a parameter, which the API rejects as unknown.
  if (!wallet || more.length > 0) return { parameters: Object.fromEntries(given) }
  given.delete('wallet')
  return { wallet, parameters: Object.fromEntries(given) }
}

/** Returns a query string that begins with `?`, or an empty string for a question about all events. */
export function writeQuestion({ wallet, parameters }: Question): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]): [string, string][] =>
    LISTS.includes(name) ? [[name, values.join(',')]] : values.map(value => [name, value]),
  )
  const query = new URLSearchParams(wallet === undefined ? pairs : [['wallet', wallet], ...pairs])
  // `:` and `,` stay unescaped, because they are easier to read and RFC 3986 (3.4) allows them in a query string.
  return query.size === 0 ? '' : `?${query}`.replaceAll('%3A', ':').replaceAll('%2C', ',')
}

/** Parameters without values are removed. */
export function withParameters(question: Question, changes: Parameters): Question {
  const entries = Object.entries({ ...question.parameters, ...changes })
  return { ...question, parameters: Object.fromEntries(entries.filter(([, values]) => values.length > 0)) }
}

/** Sets or removes the order by time. Removes an order by block number, but keeps a filter by block number. */
export const withOrder = (question: Question, createdAt: readonly string[]): Question =>
  withParameters(question, {
    createdAt,
    blockNumber: (question.parameters.blockNumber ?? []).filter(value => value !== 'asc' && value !== 'desc'),
  })

const SUBJECT_PARAMETERS: readonly string[] = ['address', 'tokenId', 'transactionHash']

export const isWholeTransaction = ({ wallet, parameters }: Question): boolean =>
  wallet === undefined && Object.keys(parameters).join() === 'transactionHash'

/** A block is the subject only if the question has no other subject. */
export function withoutFilters(question: Question): Question {
  const { wallet, parameters } = question
  if (wallet !== undefined) return { wallet, parameters: {} }
  const pick = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)))
  const subject = pick(SUBJECT_PARAMETERS)
  const isBlock = Object.keys(subject).length === 0 && onlyBlock(question) !== ''
  return { parameters: isBlock ? pick(['fromBlock', 'toBlock']) : subject }
}

/** All parameters except the order and those of the subject. */
export function filtersOf(question: Question): string[] {
  const { parameters: subject } = withoutFilters(question)
  return Object.keys(withOrder(question, []).parameters).filter(name => !Object.hasOwn(subject, name))
}

/** Returns the parameter's only value, or an empty string if it has no value or several values. */
export function onlyValue({ parameters }: Question, name: string): string {
  const [only, ...more] = parameters[name] ?? []
  return more.length > 0 ? '' : (only ?? '')
}

/** Returns the block's number, or an empty string if the question is about several blocks or all blocks. */
export function onlyBlock(question: Question): string {
  const [from, to] = [onlyValue(question, 'fromBlock'), onlyValue(question, 'toBlock')]
  return from === to ? from : ''
}

/** Returns the token id in decimal, as in records, although a URL may contain it in hexadecimal. */
export function tokenIdOf(question: Question): string | undefined {
  const given = onlyValue(question, 'tokenId')
  return /^(\d+|0x[\da-f]+)$/i.test(given) ? String(BigInt(given)) : undefined
}
