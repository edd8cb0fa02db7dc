import Negotiator from 'negotiator'

/** How a body is written for the way: brotli, gzip, or as it is. */
export type Coding = 'br' | 'gzip' | 'identity'

/** Best first, among those that a caller likes equally. */
const CODINGS: Coding[] = ['br', 'gzip', 'identity']

/** What fits into one packet arrives no sooner for being smaller. */
const WORTH_CODING_BYTES = 1_400

/**
 * The coding for a body, by what the caller accepts and prefers (RFC 9110, 12.5.3). A caller who refuses
 * every coding, that of no coding included, is given the body as it is.
 */
export function chooseCoding(body: string, acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || body.length < WORTH_CODING_BYTES) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const accepted = negotiator.encodings(CODINGS, { preferred: CODINGS })
  return CODINGS.find(coding => coding === accepted[0]) ?? 'identity'
}
