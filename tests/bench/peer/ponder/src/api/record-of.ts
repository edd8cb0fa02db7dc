import type { event } from 'ponder:schema'

export function recordOf(row: typeof event.$inferSelect) {
  return {
    event: row.kind,
    id: `${row.network}:${row.transactionHash}:${row.logIndex}`,
    network: row.network,
    address: row.address,
    blockNumber: row.blockNumber,
    blockHash: row.blockHash,
    transactionHash: row.transactionHash,
    logIndex: row.logIndex,
    createdAt: new Date(row.timestamp * 1000).toISOString(),
    ...ownFieldsOf(row),
  }
}

function ownFieldsOf(row: typeof event.$inferSelect) {
  const { creator, initialOwner, bucketHash, token, owner, operator, from, to, previousOwner, newOwner } = row
  const tokenIds = row.tokenIds?.map(String)
  const quantities = row.quantities?.map(String)
  switch (row.kind) {
    case 'Minted':
      return { creator, initialOwner, bucketHash, tokenId: tokenIds?.[0], quantity: quantities?.[0] }
    case 'MintedBatch':
      return { token, owner, tokenIds, quantities }
    case 'OwnershipTransferred':
      return { previousOwner, newOwner }
    default:
      return { operator, from, to, tokenIds, quantities }
  }
}
