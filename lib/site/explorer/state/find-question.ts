import type { EventsClient } from '../../../client/create-events-client.ts'
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
    case 'holder':
      return { question: { wallet: reading.holder, parameters: { address: [reading.address] } } }
    case 'address':
      return findSubject(reading.address, client)
  }
}

async function findSubject(address: string, client: EventsClient): Promise<Found> {
  try {
    const { records } = await client.tokenEvents({ address, limit: 1 })
    return {
      question:
        records.length > 0 ? { parameters: { address: [address] } } : { wallet: address, parameters: {} },
    }
  } catch {
    return { hint: 'The service did not answer. Look up the address again.' }
  }
}
