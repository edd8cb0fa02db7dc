import { onlyValue, type Question } from './question.ts'

/** What a question is about, above all. */
export interface Subject {
  /** What it is, in a word or two. */
  name: string
  /** The address or hash that names it; empty where nothing does. */
  text: string
  /** Of the token, where one is meant. */
  tokenId: string
}

export function subjectOf(question: Question): Subject {
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

/** What the search field would have to hold to lead to a question. */
export function searchFor(question: Question): string {
  const { text, tokenId } = subjectOf(question)
  return tokenId ? `${text}:${tokenId}` : text || onlyBlock(question)
}

/** The one block that the question is about; empty where there is none. */
function onlyBlock(question: Question): string {
  const [from, to] = [onlyValue(question, 'fromBlock'), onlyValue(question, 'toBlock')]
  return from === to ? from : ''
}
