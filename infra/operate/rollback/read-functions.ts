import { type LambdaClient, paginateListVersionsByFunction } from '@aws-sdk/client-lambda'
import { readLiveVersions } from '../../deploy/read-deployed.ts'
import { readRelease } from '../../deploy/shifted-functions.ts'
import type { FunctionVersions, PublishedVersion } from './decide-rollback.ts'

export async function readFunctions(
  stack: Parameters<typeof readLiveVersions>[0],
): Promise<FunctionVersions[]> {
  const live = await readLiveVersions(stack)
  return Promise.all(
    live.map(async each => ({ ...each, versions: await listVersions(stack.lambda, each.functionName) })),
  )
}

async function listVersions(client: LambdaClient, FunctionName: string): Promise<PublishedVersion[]> {
  const versions: PublishedVersion[] = []
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName })) {
    for (const {
      Version: number = '',
      Description,
      LastModified: published = '',
      Environment,
    } of page.Versions ?? []) {
      if (!/^\d+$/.test(number)) continue
      const tableName = Environment?.Variables?.EVENTS_TABLE
      versions.push({ ...readRelease(Description), number, published, tableName })
    }
  }
  return versions.sort((one, other) => Number(one.number) - Number(other.number))
}
