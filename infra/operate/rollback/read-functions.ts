import { type LambdaClient, paginateListVersionsByFunction } from '@aws-sdk/client-lambda'
import { readLiveVersions } from '../../deploy/read-live-versions.ts'
import { readRelease } from '../../deploy/release.ts'
import type { FunctionVersions, PublishedVersion } from './decide-rollback.ts'

/** Reads the functions of a stack whose traffic is shifted, with all versions of each function. */
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
    for (const { Version = '', Description, Environment } of page.Versions ?? []) {
      if (!/^\d+$/.test(Version)) continue
      const tableName = Environment?.Variables?.EVENTS_TABLE
      versions.push({ version: Version, release: readRelease(Description), tableName })
    }
  }
  return versions.sort((one, other) => Number(one.version) - Number(other.version))
}
