import { fileURLToPath } from 'node:url'
import { TABLE_NAME } from '../../../infra/local/database/database.ts'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'
import type { Network } from '../../../lib/events/networks.ts'

const SERVE_FUNCTIONS = fileURLToPath(new URL('./serve-functions.ts', import.meta.url))

/** Serves the functions over plain HTTP in a new process. By default, their table has all networks. */
export async function startFunctions(endpoint: string, networks?: readonly Network[]) {
  const { message, stop } = forkPart(SERVE_FUNCTIONS, [], {
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      EVENTS_TABLE: TABLE_NAME,
      EVENTS_NETWORKS: networks?.join(',') ?? 'all',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { baseUrl } = await message<{ baseUrl: string }>()
  return { baseUrl, stop }
}
