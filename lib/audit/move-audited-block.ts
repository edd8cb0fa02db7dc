import { isDeepStrictEqual } from 'node:util'
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../events/networks.ts'
import {
  type AuditedBlock,
  auditedAttributes,
  type IndexState,
  indexStateKey,
  type Scope,
} from '../store/format/checkpoint.ts'
import { readIndexState } from '../store/leases/acquire-lease.ts'
import { tryAgain } from '../store/try-again.ts'

export interface AuditedMove {
  client: DynamoDBClient
  tableName: string
  network: Network
  /** The audited scope, which must equal the indexed scope. */
  scope: Scope
  /** The first block of this audit. No unaudited block may lie between the last audited block and this block. */
  firstBlock: number
  signal?: AbortSignal | undefined
}

/**
 * Records that all blocks from the scope's first block to `block` are proven equal to the chain's blocks. Needs no
 * lease. Resolves with false if the scope has changed, if unaudited blocks would remain below `firstBlock`, or if
 * `block` is above the checkpoint or not final. Never moves the audited block to a lower block.
 */
export async function moveAuditedBlock(block: AuditedBlock, move: AuditedMove): Promise<boolean> {
  for (;;) {
    const state = await readIndexState(move)
    if (!state || !mayMove(state, block, move)) return false
    if (state.audited && state.audited.blockNumber >= block.blockNumber) return true
    if (await isStored(block, state, move)) return true
  }
}

function mayMove(
  { scope, checkpoint, audited }: IndexState,
  { blockNumber }: AuditedBlock,
  { scope: auditedScope, firstBlock }: AuditedMove,
): boolean {
  const last = Math.min(checkpoint?.blockNumber ?? -1, checkpoint?.finalizedBlock ?? -1)
  const isWithoutGap = firstBlock <= (audited?.blockNumber ?? scope.fromBlock - 1) + 1
  return isWithoutGap && blockNumber <= last && isDeepStrictEqual(comparable(scope), comparable(auditedScope))
}

const comparable = ({ fromBlock, contracts, erc721 = false }: Scope) => ({
  fromBlock,
  contracts: contracts === 'any' ? contracts : contracts.toSorted(),
  erc721,
})

/**
 * Stores the audited block if the network's item is unchanged since it was read. Equal `renewals` show that the indexer
 * has changed nothing, because the indexer raises `renewals` with every change. Resolves with true if the block is
 * stored.
 */
async function isStored(
  block: AuditedBlock,
  { fence, renewals, audited }: IndexState,
  move: AuditedMove,
): Promise<boolean> {
  const { client, tableName, network } = move
  const set = auditedAttributes(block)
  const names = ['fence', 'renewals', ...Object.keys(set)]
  const command = new UpdateCommand({
    TableName: tableName,
    Key: indexStateKey(network),
    UpdateExpression: `SET ${Object.keys(set)
      .map(name => `#${name} = :${name}`)
      .join(', ')}`,
    ConditionExpression: `#fence = :fence AND #renewals = :renewals AND ${
      audited ? '#auditedBlock = :before' : 'attribute_not_exists(#auditedBlock)'
    }`,
    ExpressionAttributeNames: Object.fromEntries(names.map(name => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(
        Object.entries({ ...set, fence, renewals }).map(([name, value]) => [`:${name}`, value]),
      ),
      ...(audited && { ':before': audited.blockNumber }),
    },
  })
  try {
    await tryAgain(() => DynamoDBDocumentClient.from(client).send(command), move)
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}
