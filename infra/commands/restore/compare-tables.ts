import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createCheckpointReader } from '../../../lib/store/read-checkpoints.ts'
import { checkTableToRead } from '../shared/check-table.ts'
import { explainFailure } from '../shared/explain-failure.ts'

interface TableMove {
  /** The table that the stage uses. */
  used: string
  target: string
}

/**
 * Compares the networks of both tables, and how far each network is indexed. Returns a sentence for each difference
 * that readers would notice after the move. A table that cannot be read is such a difference, too.
 */
export async function compareTables(client: DynamoDBClient, { used, target }: TableMove): Promise<string[]> {
  try {
    const [before, after] = await Promise.all([used, target].map(name => readTable(client, name)))
    if (!before || !after) return []
    const networks =
      before.networks === after.networks
        ? []
        : [
            `${target} is a table of ${after.networks}, and ${used} of ${before.networks}: set networks to ${after.networks}`,
          ]
    const behind = before.indexed.flatMap(({ network, blockNumber }) => {
      const reached = after.indexed.find(each => each.network === network)?.blockNumber
      if (reached !== undefined && reached >= blockNumber) return []
      const where = reached === undefined ? 'is not indexed' : `is indexed to block ${reached}`
      return [`${network} ${where} in ${target}, and to block ${blockNumber} in ${used}`]
    })
    if (behind.length > 0)
      behind.push(
        `Readers miss these blocks until they are indexed. To index them before the move: npm run index -- --table ${target}`,
      )
    return [...networks, ...behind]
  } catch (error) {
    return [`${target} and ${used} could not be compared: ${explainFailure(error, { tableName: target })}`]
  }
}

async function readTable(client: DynamoDBClient, tableName: string) {
  const networks = await checkTableToRead(client, tableName)
  const { networks: indexed } = await createCheckpointReader({ client, tableName, networks })()
  return { networks: networks?.join(',') ?? 'all', indexed }
}
