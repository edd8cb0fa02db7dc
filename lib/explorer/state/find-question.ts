import type { EventsClient } from '../../client/create-events-client.ts'
import { EVERYTHING, type Question } from '../question/question.ts'
import { readSearch } from '../question/read-search.ts'

/** The question that a search text means, or a hint about the mistake in the text. */
type Found = { question: Question; hint?: undefined } | { question?: undefined; hint: string }

/**
 * Finds the question for a typed text. An address is a token contract if it has emitted an event, and otherwise a
 * wallet.
 */
export async function findQuestion(typed: string, client: EventsClient): Promise<Found> {
  const reading = readSearch(typed)
  switch (reading.means) {
    case 'everything':
      return { question: EVERYTHING }
    case 'nothing':
      return { hint: reading.hint }
    case 'transaction':
      return { question: { parameters: { transactionHash: [reading.transactionHash] } } }
    case 'block':
      return {
        question: { parameters: { fromBlock: [reading.blockNumber], toBlock: [reading.blockNumber] } },
      }
    case 'token':
      return { question: { parameters: { address: [reading.address], tokenId: [reading.tokenId] } } }
    case 'address':
      return { question: await questionOfAddress(reading.address, client) }
  }
}

async function questionOfAddress(address: string, client: EventsClient): Promise<Question> {
  const isToken = await client.tokenEvents({ address, limit: 1 }).then(
    ({ records }) => records.length > 0,
    // If this request fails, the request for the question's events also fails, and the page shows that error.
    () => false,
  )
  return isToken ? { parameters: { address: [address] } } : { wallet: address, parameters: {} }
}
