import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { checkTableToRead } from '../../../lib/kit/check-table.ts'
import { explainFailure } from '../../../lib/kit/explain-failure.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'

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
            `${target} stores ${after.networks}, but ${used} stores ${before.networks}: set networks to ${after.networks}`,
          ]
    const behind = before.indexed.filter(
      ({ network, blockNumber }) => (reachedIn(after, network) ?? -1) < blockNumber,
    )
    const sentences = behind.map(({ network, blockNumber }) => {
      const reached = reachedIn(after, network)
      const where = reached === undefined ? 'is not indexed' : `is indexed to block ${reached}`
      return `${network} ${where} in ${target}, and to block ${blockNumber} in ${used}`
    })
    const [first] = behind
    if (first)
      sentences.push(
        `Until these blocks are indexed, readers miss their events. To index them before the move, run this command for each network, with the indexer's other options: npm run index -- --network ${first.network} --rpc URL --table ${target}`,
      )
    return [...networks, ...sentences]
  } catch (error) {
    return [`${target} and ${used} could not be compared: ${explainFailure(error, { table: target })}`]
  }
}

const reachedIn = ({ indexed }: { indexed: { network: string; blockNumber: number }[] }, network: string) =>
  indexed.find(each => each.network === network)?.blockNumber

async function readTable(client: DynamoDBClient, tableName: string) {
  const networks = await checkTableToRead(client, tableName)
  const { networks: indexed } = await createCheckpointReader({ client, tableName, networks })()
  return { networks: networks?.join(',') ?? 'all', indexed }
}
