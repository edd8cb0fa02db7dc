import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { localClient } from '../../support/store/local-client.ts'

export type BenchTable = Awaited<ReturnType<typeof startTable>>

/** Creates the table if it is missing. */
export async function startTable(dataDir: string) {
  const engine = await startEngine({ engine: 'dynalite', dataDir })
  const table = { client: localClient(engine.endpoint), tableName: 'events' }
  await createTable(table)
  return {
    ...table,
    close: async () => {
      table.client.destroy()
      await engine.stop()
    },
  }
}
