import { type LambdaClient, UpdateAliasCommand } from '@aws-sdk/client-lambda'
import { LIVE_ALIAS } from '../../deploy/shifted-functions.ts'
import type { Move } from './decide-rollback.ts'

/** Points each alias at one version. Removes the weights that an unfinished shift has left. */
export async function moveAliases(client: LambdaClient, moves: Move[]): Promise<void> {
  await Promise.all(
    moves.map(({ functionName, to }) =>
      client.send(
        new UpdateAliasCommand({
          FunctionName: functionName,
          Name: LIVE_ALIAS,
          FunctionVersion: to.number,
          RoutingConfig: { AdditionalVersionWeights: {} },
        }),
      ),
    ),
  )
}
