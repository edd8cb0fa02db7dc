import type { Question } from '../question/question.ts'
import { walletParameter } from '../question/request-of.ts'

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

export const parameterLabel = (name: string, question: Question): string =>
  name === walletParameter(question)
    ? 'Wallet'
    : (new Map(Object.entries(PARAMETER_LABELS)).get(name) ?? name)
