import type { EventsClient } from '../../client/create-events-client.ts'
import { EVERYTHING, type Question } from '../question/question.ts'
import { readSearch } from '../question/read-search.ts'

/** What somebody looks for, or why it cannot be looked up. */
type Found = { question: Question; hint?: undefined } | { question?: undefined; hint: string }

/**
 * Turns what was typed into a question. An address is a token's where the contract has emitted events, and a wallet's
 * otherwise; one record of it is enough to know.
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
    // Whatever it is, the question itself will meet it, and show it.
    () => false,
  )
  return isToken ? { parameters: { address: [address] } } : { wallet: address, parameters: {} }
}
