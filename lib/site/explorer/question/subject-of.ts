import { shortHex, shortNumber } from '../show/short-texts.ts'
import { onlyBlock, onlyValue, type Question } from './question.ts'

/**
 * Returns what a question is mainly about. `name` is the type of the subject, such as "Wallet" or "Token contract",
 * `text` its address or hash, and `tokenId` the token's id. `text` and `tokenId` are empty if the subject has none.
 */
export function subjectOf(question: Question): { name: string; text: string; tokenId: string } {
  const { wallet } = question
  const [address, tokenId] = [onlyValue(question, 'address'), onlyValue(question, 'tokenId')]
  const transactionHash = onlyValue(question, 'transactionHash')
  const block = onlyBlock(question)
  if (wallet !== undefined) return { name: 'Wallet', text: wallet, tokenId: '' }
  if (address) return { name: tokenId ? 'Token' : 'Token contract', text: address, tokenId }
  if (transactionHash) return { name: 'Transaction', text: transactionHash, tokenId: '' }
  const isAll = Object.keys(question.parameters).length === 0
  return { name: block ? `Block ${block}` : isAll ? 'Latest events' : 'Events', text: '', tokenId: '' }
}

/** Returns the text that leads to this question's subject when it is entered in the search field. */
export function searchFor(question: Question): string {
  const { text, tokenId } = subjectOf(question)
  return tokenId ? `${text}:${tokenId}` : text || onlyBlock(question)
}

const SERVICE = 'Blockchain events'

export function titleOf(question: Question): string {
  const { name, text, tokenId } = subjectOf(question)
  if (text === '') return `${name} · ${SERVICE}`
  return `${name} ${shortHex(text)}${tokenId && ` #${shortNumber(tokenId)}`} · ${SERVICE}`
}

/** A question may have many filters, but file systems limit a name to 255 bytes. */
const LONGEST_NAME = 150

/** Returns a file name without an extension. */
export function fileNameOf(question: Question): string {
  const { name, text, tokenId } = subjectOf(question)
  const told = [question.wallet, text, tokenId, onlyBlock(question)]
  const filters = Object.values(question.parameters)
    .flat()
    .filter(value => !told.includes(value))
  const parts = [name, text, tokenId, ...filters].filter(part => part !== '')
  return parts
    .join('-')
    .replaceAll(/[^\w.]+/g, '-')
    .toLowerCase()
    .slice(0, LONGEST_NAME)
}
