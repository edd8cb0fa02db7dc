import type { Question } from '../question/question.ts'
import { walletParameter } from '../question/request-of.ts'

/** The names that the page shows for the API's parameters. */
export const PARAMETER_LABELS = {
  address: 'Token contract',
  from: 'From address',
  to: 'To address',
  operator: 'Operator',
  creator: 'Creator',
  initialOwner: 'First owner',
  owner: 'Owner',
  user: 'In any role',
  tokenId: 'Token id, with its contract',
  fromBlock: 'From block',
  toBlock: 'To block',
  transactionHash: 'Transaction',
  event: 'Events',
  network: 'Networks',
  fromTime: 'From time',
  toTime: 'To time',
  createdAt: 'Order',
  finalized: 'Only final events',
} as const

/** Returns the page's name of a parameter in the question's request, or the API's name if there is none. */
export const parameterLabel = (name: string, question: Question): string =>
  name === walletParameter(question)
    ? 'Wallet'
    : (new Map(Object.entries(PARAMETER_LABELS)).get(name) ?? name)
