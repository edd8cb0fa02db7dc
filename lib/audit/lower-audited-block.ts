import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../events/networks.ts'
import {
  AUDITED_ATTRIBUTES,
  type AuditedBlock,
  auditedAttributes,
  indexStateKey,
} from '../store/format/checkpoint.ts'
import { tryAgain } from '../store/try-again.ts'

interface StateItem {
  client: DynamoDBClient
  tableName: string
  network: Network
  signal?: AbortSignal | undefined
}

/**
 * Records the lowest block in which audits have found a difference. Until a later audit proves the block equal, no
 * audit that began before moves the audited block beyond it. Does nothing if a lower block is recorded, or if no
 * indexer has written the network.
 */
export const recordDifference = (blockNumber: number, item: StateItem): Promise<void> =>
  updateIf(
    {
      update: 'SET #differentBlock = :blockNumber',
      condition:
        'attribute_exists(#scope) AND (attribute_not_exists(#differentBlock) OR #differentBlock > :blockNumber)',
      names: ['differentBlock', 'scope'],
      values: { blockNumber },
    },
    item,
  )

/**
 * Moves the audited block down to `block`, or deletes the audited block if `block` is undefined. Never moves the
 * audited block up.
 */
export function lowerAuditedBlock(block: AuditedBlock | undefined, item: StateItem): Promise<void> {
  if (!block) {
    const update = `REMOVE ${AUDITED_ATTRIBUTES.map(name => `#${name}`).join(', ')}`
    return updateIf({ update, names: AUDITED_ATTRIBUTES, values: {} }, item)
  }
  const values = auditedAttributes(block)
  const names = Object.keys(values)
  const update = `SET ${names.map(name => `#${name} = :${name}`).join(', ')}`
  return updateIf({ update, condition: '#auditedBlock > :auditedBlock', names, values }, item)
}

interface Update {
  update: string
  condition?: string
  names: readonly string[]
  values: Record<string, unknown>
}

/** Updates the network's item if it exists and meets the condition. */
async function updateIf(
  { update, condition, names, values }: Update,
  { client, tableName, network, signal }: StateItem,
): Promise<void> {
  const entries = Object.entries(values).map(([name, value]) => [`:${name}`, value])
  const command = new UpdateCommand({
    TableName: tableName,
    Key: indexStateKey(network),
    UpdateExpression: update,
    ConditionExpression: ['attribute_exists(#fence)', ...(condition ? [condition] : [])].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(['fence', ...names].map(name => [`#${name}`, name])),
    ...(entries.length > 0 && { ExpressionAttributeValues: Object.fromEntries(entries) }),
  })
  try {
    await tryAgain(() => DynamoDBDocumentClient.from(client).send(command), { tableName, signal })
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}
