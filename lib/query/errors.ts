/** A failure that is reported to callers. `code` is stable, even if the message changes. */
export abstract class ServiceError extends Error {
  abstract readonly code: string
}

export interface ParameterProblem {
  parameter: string
  message: string
}

/** The limits of an error response: the maximum number of problems, and the maximum length of a parameter's name. */
const MAX_PROBLEMS = 200
const MAX_NAME = 100

/**
 * This is not a `ServiceError`: callers learn only that the request failed, because only the operator can correct the
 * cause.
 */
export class OtherNetworksError extends Error {
  override readonly name = 'OtherNetworksError'
  readonly code = 'other-networks'

  constructor({ tableName, recorded, asked }: { tableName: string; recorded: string; asked: string }) {
    super(
      `The networks of the table ${tableName} are ${recorded}, but the configuration specifies ${asked}. Set networks (EVENTS_NETWORKS, --networks) to ${recorded}, or load the events into a new table`,
    )
  }
}

/** `problems` contains every problem found, up to `MAX_PROBLEMS`. */
export class InvalidQueryError extends ServiceError {
  override readonly name = 'InvalidQueryError'
  readonly code = 'invalid-query'
  readonly problems: readonly ParameterProblem[]
  /** Whether there are more problems than `problems` contains. */
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

export const sentenceOf = ({ parameter, message }: ParameterProblem) =>
  `${parameter || '(empty name)'}: ${message}`

const shortened = (name: string) =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…`.toWellFormed() : name

export interface NetworkBehind {
  network: string
  minBlock: number
  indexedBlock: number | undefined
}

/** A retry succeeds once the block in `minBlock` has been indexed. */
export class NotIndexedYetError extends ServiceError {
  override readonly name = 'NotIndexedYetError'
  readonly code = 'not-indexed-yet'

  constructor(behind: readonly NetworkBehind[]) {
    super(behind.map(behindSentence).join('; '))
  }
}

const behindSentence = ({ network, minBlock, indexedBlock }: NetworkBehind) =>
  indexedBlock === undefined
    ? `${network} is not indexed yet, but minBlock asks for block ${minBlock}`
    : `${network} is indexed up to block ${indexedBlock}, but minBlock asks for block ${minBlock}`

/** The store is overloaded or unreachable, but a later retry may succeed. */
export class StoreUnavailableError extends ServiceError {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'store-unavailable'

  constructor(cause: unknown) {
    super('The event store did not answer in time', { cause })
  }
}

/** A stored row is not valid. The request fails, because an answer without the row would be wrong. */
export class CorruptRowError extends ServiceError {
  override readonly name = 'CorruptRowError'
  readonly code = 'corrupt-row'
  readonly list: string
  readonly place: string

  constructor({ list, place, cause }: { list: string; place: string; cause: unknown }) {
    super(`The row ${list} / ${place} is not valid`, { cause })
    this.list = list
    this.place = place
  }
}

/** If `read` throws, throws a `CorruptRowError` that contains the row's key. */
export function namingRow<Result>(row: { list: string; place: string }, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new CorruptRowError({ ...row, cause })
  }
}

/**
 * The log of revisions no longer reaches back to the last entry that the cursor's reader has seen, or the cursor belongs
 * to another table.
 */
export class CursorExpiredError extends ServiceError {
  override readonly name = 'CursorExpiredError'
  readonly code = 'cursor-expired'

  constructor() {
    super(
      'The cursor is too old for the log of removed events, or belongs to another table. Start again with from=beginning and an empty copy',
    )
  }
}
