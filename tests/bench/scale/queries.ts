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
/** The largest table's number of events. A request's budget lasts to the table's end only if the table is small. */
const BEYOND = 1_000_000

/** The filters' values come from the middle of `records`, which start with the newest event. */
export function queriesOf(records: readonly EventRecord[]): ScaleQuery[] {
  const wallet = `user-events/${BUSY_WALLET}`
  const token = `token-events?address=${BUSY_TOKEN}`
  const deep = Math.min(DEEP, Math.floor(records.length / 5 / 2))
  const [until, since] = [0.45, 0.55].map(part => records[Math.floor(part * records.length)]?.createdAt)
  const { transactionHash, blockNumber } = blockOfThree(records)
  return [
    { name: 'a user: newest 50', request: wallet },
    { name: 'a user: newest 500', request: `${wallet}?limit=500` },
    { name: 'a user in one role', request: `token-events?from=${BUSY_WALLET}` },
    { name: 'a user, one kind', request: `${wallet}?event=TransferBatch` },
    { name: 'a user, the middle tenth of the time', request: `${wallet}?fromTime=${since}&toTime=${until}` },
    { name: 'a token: newest 50', request: token },
    { name: 'a token: one id', request: `${token}&tokenId=7` },
    {
      name: 'a user and a token that meet in every fifth event',
      request: `${token}&operator=${BUSY_WALLET}`,
    },
    { name: 'a user and a token that never meet', request: `${token}&operator=${STRANGER}` },
    { name: 'a user by block number, five networks', request: `${wallet}?blockNumber=desc` },
    { name: 'a transaction', request: `token-events?transactionHash=${transactionHash}` },
    { name: 'a block number', request: `token-events?blockNumber=${blockNumber}` },
    { name: `a user: ${DEEP.toLocaleString('en')} in, by cursor`, request: wallet, behind: deep },
    { name: `a user: ${DEEP.toLocaleString('en')} in, by skip`, request: `${wallet}?skip=${deep}` },
    { name: 'a user, counted', request: `${wallet}?count=true` },
    { name: 'all events: newest 50', request: 'token-events' },
    { name: `all events: skip=${BEYOND}`, request: `token-events?skip=${BEYOND}` },
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
