/** A failure that callers are told about; `code` is stable, whatever the sentence says. */
export abstract class ServiceError extends Error {
  abstract readonly code: string
}

export interface ParameterProblem {
  parameter: string
  message: string
}

/** An answer with more, or with longer names, would be out of proportion to any query. */
const MAX_PROBLEMS = 200
const MAX_NAME = 100

/** The query itself is wrong. Carries every problem found, not only the first. */
export class InvalidQueryError extends ServiceError {
  override readonly name = 'InvalidQueryError'
  readonly code = 'invalid-query'
  readonly problems: readonly ParameterProblem[]
  /** Whether more is wrong than the problems that are told. */
  readonly isMore: boolean

  constructor(problems: readonly ParameterProblem[], { isMore = false } = {}) {
    const told = problems
      .slice(0, MAX_PROBLEMS)
      .map(({ parameter, message }) => ({ parameter: shortened(parameter), message }))
    super(told.map(sentenceOf).join('; '))
    this.problems = told
    this.isMore = isMore || problems.length > told.length
  }
}

/** What is wrong, with the parameter that it is wrong with. */
export const sentenceOf = ({ parameter, message }: ParameterProblem) => `${parameter}: ${message}`

const shortened = (name: string) =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…`.toWellFormed() : name

/** A network that is not indexed as far as `minBlock` asks for. */
export interface NetworkBehind {
  network: string
  minBlock: number
  /** Undefined where no block is indexed yet. */
  indexedBlock: number | undefined
}

/** The answer would lack events that are asked for; a little later it will have them. */
export class NotIndexedYetError extends ServiceError {
  override readonly name = 'NotIndexedYetError'
  readonly code = 'not-indexed-yet'

  constructor(behind: readonly NetworkBehind[]) {
    super(behind.map(behindSentence).join('; '))
  }
}

const behindSentence = ({ network, minBlock, indexedBlock }: NetworkBehind) =>
  indexedBlock === undefined
    ? `${network} is not indexed yet, and minBlock asks for block ${minBlock}`
    : `${network} is indexed up to block ${indexedBlock}, and minBlock asks for block ${minBlock}`

/** The store is overloaded or cannot be reached; the same query may well succeed a little later. */
export class StoreUnavailableError extends ServiceError {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'store-unavailable'

  constructor(cause: unknown) {
    super('The event store did not answer in time', { cause })
  }
}

/** A stored row is not what the record model says. Never answered around: a list with a gap is a wrong answer. */
export class CorruptRowError extends ServiceError {
  override readonly name = 'CorruptRowError'
  readonly code = 'corrupt-row'

  constructor({ list, place, cause }: { list: string; place: string; cause: unknown }) {
    super(`The row ${list} / ${place} does not fit the record model`, { cause })
  }
}
