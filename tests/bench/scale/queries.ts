import type { EventRecord } from '../../../lib/events/record.ts'
import { BUSY_TOKEN, BUSY_WALLET, STRANGER } from './generate-history.ts'

export interface ScaleQuery {
  name: string
  request: string
  /** If set, the request starts from a cursor after this many records. */
  behind?: number
}

/** The offset of the deep pages in records, or half the length of the wallet's list if that is less. */
const DEEP = 10_000
/** A `skip` past all events of even the largest table, which a request's budget allows only in a small table. */
const BEYOND = 1_000_000

/** The filters' values come from the middle of `records`, which start with the newest event. */
export function queriesOf(records: readonly EventRecord[]): ScaleQuery[] {
  const wallet = `user-events/${BUSY_WALLET}`
  const token = `token-events?address=${BUSY_TOKEN}`
  const deep = Math.min(DEEP, Math.floor(records.length / 5 / 2))
  const [until, since] = [0.45, 0.55].map(part => records[Math.floor(part * records.length)]?.createdAt)
  const { transactionHash, blockNumber } = blockOfThree(records)
  return [
    { name: "the user's newest 50 events", request: wallet },
    { name: "the user's newest 500 events", request: `${wallet}?limit=500` },
    { name: "the user's events as sender (`from`)", request: `token-events?from=${BUSY_WALLET}` },
    { name: "the user's events of one kind", request: `${wallet}?event=TransferBatch` },
    {
      name: "the user's events in a time span of a tenth of all events",
      request: `${wallet}?fromTime=${since}&toTime=${until}`,
    },
    { name: "the token's newest 50 events", request: token },
    { name: "the token's events with one token id", request: `${token}&tokenId=7` },
    {
      name: "the token's events with the user as operator, nearly a fifth of them",
      request: `${token}&operator=${BUSY_WALLET}`,
    },
    {
      name: "the token's events with an operator who takes part in none of them",
      request: `${token}&operator=${STRANGER}`,
    },
    { name: "the user's events by block number, from five networks", request: `${wallet}?blockNumber=desc` },
    { name: 'the events of one transaction', request: `token-events?transactionHash=${transactionHash}` },
    { name: 'the events of one block number', request: `token-events?blockNumber=${blockNumber}` },
    {
      name: `the user's events after the newest ${DEEP.toLocaleString('en')}, by cursor`,
      request: wallet,
      behind: deep,
    },
    {
      name: `the user's events after the newest ${DEEP.toLocaleString('en')}, by \`skip\``,
      request: `${wallet}?skip=${deep}`,
    },
    { name: "the user's events, counted", request: `${wallet}?count=true` },
    { name: 'the newest 50 of all events', request: 'token-events' },
    { name: `all events, with \`skip=${BEYOND}\``, request: `token-events?skip=${BEYOND}` },
  ]
}

/** Finds a block in the middle of the history whose only events are three events of one transaction. */
function blockOfThree(records: readonly EventRecord[]): EventRecord {
  const from = Math.floor(records.length / 2)
  const found = records.find(
    ({ logIndex, blockHash }, index) =>
      index >= from && logIndex === 2 && records[index - 1]?.blockHash !== blockHash,
  )
  if (!found) throw new Error('No block has three events')
  return found
}
