/** Why a log does not become a record. `code` is stable, `reason` is for people. */
export interface Rejection {
  code: RejectionCode
  reason: string
}

export type RejectionCode =
  /** The line or the log is not of the form that is read. */
  | 'malformed'
  /** The file ends in the middle of it. */
  | 'cut-off'
  /** No known event has this topic. */
  | 'unknown-event'
  /** The topic is known, but this contract indexes other parameters. */
  | 'other-parameters'
  /** Topics or data are not what the event's signature makes. */
  | 'bad-encoding'
  /** The values decode, but no record can hold them. */
  | 'bad-values'
  /** Contradicts what is known of the chain already. */
  | 'broken-invariant'

export const rejected = (code: RejectionCode, reason: string): { rejection: Rejection } => ({
  rejection: { code, reason },
})
