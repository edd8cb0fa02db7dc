import type { EventsClient } from '../../../client/create-events-client.ts'
import { askFirst } from '../activity/ask-page.ts'
import { type Parameters, type Question, withParameters } from '../question/question.ts'
import { checksummedIn, readNetwork, readSearch } from '../question/read-search.ts'
import { requestOf } from '../question/request-of.ts'
import { explainChecksum } from '../show/explain-checksum.ts'

/** The hint says what is wrong with the text, or which part of it the search ignored. */
export interface Found {
  question?: Question
  hint?: string | undefined
}

/**
 * An address is read as a contract if it has emitted an event, else as a wallet. If the text is a link, its network
 * becomes a filter.
 */
export async function findQuestion(typed: string, client: EventsClient): Promise<Found> {
  const reading = readSearch(typed)
  if ('hint' in reading) return reading
  const fault = explainChecksum(checksummedIn(typed))
  if (fault !== undefined) return { hint: fault }
  const network = readNetwork(typed)
  const onNetwork = network === undefined || network === 'unknown' ? {} : { network: [network] }
  try {
    const found =
      'question' in reading ? reading.question : await questionOf(reading.address, onNetwork, client)
    return {
      question: withParameters(found, onNetwork),
      hint: network === 'unknown' ? NO_NETWORK : undefined,
    }
  } catch {
    return {
      hint: 'The search failed, because the service did not answer or returned an error. Look up the address again.',
    }
  }
}

const NO_NETWORK = 'No network of this service was recognised in the link, so all networks are searched.'

async function questionOf(address: string, network: Parameters, client: EventsClient): Promise<Question> {
  const asContract = { parameters: { address: [address] } }
  const { signal } = new AbortController()
  const emitted = await askFirst(requestOf(withParameters(asContract, network)), { client, signal })
  return emitted ? asContract : { wallet: address, parameters: {} }
}
