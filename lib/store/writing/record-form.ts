import {
  ConditionalCheckFailedException,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { NETWORKS } from '../../events/networks.ts'
import type { AttributeMap, EventTable } from '../event-table.ts'
import { CHECKPOINTS_LIST, LIST_KEY, listKey, PLACE_KEY } from '../format/keys.ts'
import { FORM_KEY, FORM_NETWORKS, formText, networksIn, requireForm } from '../format/table-form.ts'
import { tryAgain } from '../try-again.ts'

/**
 * In an empty table, records the configured networks, so one of two writers with different networks is refused even if
 * both begin at the same time. A table with events but no recorded networks is for all networks. In such a table,
 * networks are recorded only if the configuration lists every supported network. Resolves with the networks that are
 * now recorded, or with undefined for all networks. Can throw `OtherNetworksError` (see `requireForm`) or
 * `TableBusyError`.
 */
export const recordForm = (
  table: EventTable,
  signal?: AbortSignal,
  { isOneEnough = false } = {},
): Promise<EventTable['networks']> =>
  tryAgain(() => compareOrRecord(table, { signal, isOneEnough }), { tableName: table.tableName, signal })

async function compareOrRecord(
  table: EventTable,
  { signal, isOneEnough }: { signal: AbortSignal | undefined; isOneEnough: boolean },
): Promise<EventTable['networks']> {
  const form = await readForm(table, signal)
  const isEmpty = !form && !(await hasItems(table, signal))
  if (!isEmpty) requireForm(form, table, { isOneEnough })
  if (form || (!isEmpty && (table.networks?.length ?? 0) < NETWORKS.length)) return networksIn(form)
  const command = new UpdateItemCommand({
    TableName: table.tableName,
    Key,
    UpdateExpression: 'SET #networks = :networks',
    ConditionExpression: 'attribute_not_exists(#networks)',
    ExpressionAttributeNames: { '#networks': FORM_NETWORKS },
    ExpressionAttributeValues: { ':networks': { S: formText(table.networks) } },
  })
  try {
    await table.client.send(command, signal && { abortSignal: signal })
    return table.networks
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    // Another writer recorded its networks in the meantime.
    return compareOrRecord(table, { signal, isOneEnough })
  }
}

async function hasItems({ client, tableName }: EventTable, signal?: AbortSignal): Promise<boolean> {
  const lists = [CHECKPOINTS_LIST, ...NETWORKS.map(network => listKey({ of: 'all' }, network))]
  const counts = lists.map(async list => {
    const command = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': { S: list } },
      Select: 'COUNT',
      ConsistentRead: true,
      Limit: 1,
    })
    return (await client.send(command, signal && { abortSignal: signal })).Count ?? 0
  })
  return (await Promise.all(counts)).some(count => count > 0)
}

/** The form as an item of an import file. Empty for a table of all networks. */
export const formItems = (networks: EventTable['networks']): Record<string, unknown>[] =>
  networks === undefined ? [] : [{ ...FORM_KEY, [FORM_NETWORKS]: formText(networks) }]

const Key = { [LIST_KEY]: { S: FORM_KEY[LIST_KEY] }, [PLACE_KEY]: { S: FORM_KEY[PLACE_KEY] } }

/** Strongly consistent. */
export async function readForm(
  { client, tableName }: EventTable,
  signal?: AbortSignal,
): Promise<AttributeMap | undefined> {
  const command = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true })
  return (await client.send(command, signal && { abortSignal: signal })).Item
}
