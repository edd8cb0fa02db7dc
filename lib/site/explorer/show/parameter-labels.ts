import type { PARAMETERS } from '../../../client/parameters.ts'
import type { Question } from '../question/question.ts'
import { walletParameter } from '../question/request-of.ts'

/**
 * The parameters that readers cannot set on the page. Instead of `blockNumber`, readers set `fromBlock` and `toBlock`.
 */
type WithoutControl = 'blockNumber' | 'skip' | 'limit' | 'cursor' | 'count' | 'format' | 'minBlock'
type WithControl = Exclude<(typeof PARAMETERS)['token-events'][number], WithoutControl>

const hex = (label: string) => ({ label, hint: '0x…' })
const number = (label: string) => ({ label, hint: '0' })

/** Each parameter's name on the page. Parameters with a hint have text fields under "More filters", in this order. */
export const LABELS: Record<WithControl, { label: string; hint?: string }> = {
  address: hex('Token contract'),
  from: hex('From address'),
  to: hex('To address'),
  operator: hex('Operator'),
  creator: hex('Creator'),
  initialOwner: hex('First owner'),
  owner: hex('Owner'),
  user: hex('In any role'),
  tokenId: number('Token id (needs a token contract)'),
  fromBlock: number('From block'),
  toBlock: number('To block'),
  transactionHash: hex('Transaction'),
  event: { label: 'Events' },
  network: { label: 'Networks' },
  fromTime: { label: 'From time' },
  toTime: { label: 'To time' },
  createdAt: { label: 'Order' },
  finalized: { label: 'Only final events' },
}

export const parameterLabel = (name: string, question: Question): string =>
  name === walletParameter(question) ? 'Wallet' : (new Map(Object.entries(LABELS)).get(name)?.label ?? name)
