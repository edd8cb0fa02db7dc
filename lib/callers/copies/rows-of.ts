import type { EventRecord } from '../../client/create-events-client.ts'
import type { Row } from './copy-database.ts'

export const eventRow = (record: EventRecord): Row => ({
  id: record.id,
  event: record.event,
  network: record.network,
  address: record.address,
  block_number: record.blockNumber,
  block_hash: record.blockHash,
  transaction_hash: record.transactionHash,
  log_index: record.logIndex,
  created_at: record.createdAt,
  record: JSON.stringify(record),
})

/** `Minted` and `MintedBatch` have no rows, because their contracts also emit a transfer from the zero address. */
export function transferRows(record: EventRecord): Row[] {
  if (record.event !== 'TransferSingle' && record.event !== 'TransferBatch') return []
  const { id, network, address, from, to, operator, blockNumber, logIndex, createdAt } = record
  return record.tokenIds.map((tokenId, position) => ({
    event_id: id,
    position,
    network,
    address,
    token_id: tokenId,
    from_address: from,
    to_address: to,
    operator,
    quantity: record.quantities[position] ?? '0',
    block_number: blockNumber,
    log_index: logIndex,
    created_at: createdAt,
  }))
}
