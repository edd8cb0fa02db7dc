import { ServiceError } from '../errors.ts'

/** The log of rewinds does not go back to where a cursor of the feed was given out. */
export class CursorExpiredError extends ServiceError {
  override readonly name = 'CursorExpiredError'
  readonly code = 'cursor-expired'

  constructor() {
    super(
      'The cursor is too old: which events have been removed since is no longer known. Begin anew with from=beginning, and an empty copy',
    )
  }
}
