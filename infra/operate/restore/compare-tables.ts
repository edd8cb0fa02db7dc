import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { checkTableToRead } from '../../../lib/kit/check-table.ts'
import { explainFailure } from '../../../lib/kit/explain-failure.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'

/**
 * Returns a sentence for each difference that readers would notice. An unreadable table counts as a difference, too.
 */
export async function compareTables(
  client: DynamoDBClient,
  { used, target }: { used: string; target: string },
): Promise<string[]> {
  try {
    const [before, after] = await Promise.all([used, target].map(name => readTable(client, name)))
    if (!before || !after) return []
    const reached = new Map(after.indexed.map(({ network, blockNumber }) => [network, blockNumber]))
    const behind = before.indexed.filter(
      ({ network, blockNumber }) => (reached.get(network) ?? -1) < blockNumber,
    )
    const [first] = behind
    return [
      before.networks !== after.networks &&
        `The networks of ${target} are ${after.networks}, but those of ${used} are ${before.networks}: change the stage's setting networks to ${after.networks}`,
      ...behind.map(({ network, blockNumber }) => {
        const where = reached.has(network) ? `only to block ${reached.get(network)}` : 'not at all'
        return `${network} is indexed to block ${blockNumber} in ${used}, but ${where} in ${target}`
      }),
      first &&
        `If the stage moves before these blocks are indexed, readers miss the events of these blocks. To index the blocks first, run this command for each network, with the indexer's other options: npm run index -- --network ${first.network} --rpc URL --table ${target}`,
    ].filter(line => typeof line === 'string')
  } catch (error) {
    return [`${target} and ${used} could not be compared: ${explainFailure(error, { table: target })}`]
  }
}

async function readTable(client: DynamoDBClient, tableName: string) {
  const networks = await checkTableToRead(client, tableName)
  const { networks: indexed } = await createCheckpointReader({ client, tableName, networks })()
  return { networks: networks?.join(',') ?? 'all', indexed }
}
