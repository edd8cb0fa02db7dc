/** Why a log does not become a record. `code` is stable, `reason` is for people. */
export interface Rejection {
  code: RejectionCode
  reason: string
}

export type RejectionCode =
  /** The line or the log is malformed. */
  | 'malformed'
  /** The file ends in the middle of the log. */
  | 'cut-off'
  /** No known event has the log's first topic. */
  | 'unknown-event'
  /** The first topic is known, but this contract indexes other parameters than the known events. */
  | 'other-parameters'
  /** Topics or data do not match the encoding of the event's signature. */
  | 'bad-encoding'
  /** The values can be decoded, but do not fit into a record. */
  | 'bad-values'
  /** The log contradicts an event that was read before, or the block from which its time was read. */
  | 'broken-invariant'
  /** The table does not include the log's network. */
  | 'other-network'

export const rejected = (code: RejectionCode, reason: string): { rejection: Rejection } => ({
  rejection: { code, reason },
})
