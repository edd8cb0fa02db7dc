import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { TABLE_NAME } from '../../../infra/local/database.ts'
import { forkPart } from '../../../infra/local/fork-part.ts'

const SERVE_FUNCTIONS = fileURLToPath(new URL('../load/serve-functions.ts', import.meta.url))
const REPLAY = fileURLToPath(new URL('../recorded/replay.ts', import.meta.url))

/** The functions over plain HTTP in a process of their own, reading the table at that endpoint. */
export async function startFunctions(endpoint: string) {
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint, EVENTS_TABLE: TABLE_NAME }
  const { message, stop } = await startListening<{ baseUrl: string }>(SERVE_FUNCTIONS, [], env)
  return { baseUrl: message.baseUrl, stop }
}

/** A process that gives what the engine has once answered. */
export async function startReplay(engineEndpoint: string) {
  const { message, stop } = await startListening<{ endpoint: string }>(REPLAY, [engineEndpoint], process.env)
  return { endpoint: message.endpoint, stop }
}

async function startListening<T>(script: string, parameters: string[], env: NodeJS.ProcessEnv) {
  const { child, ended, stop } = forkPart(script, parameters, {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const failed = ended.then(how => {
    throw new Error(`${script} ended: ${how}`)
  })
  failed.catch(() => undefined)
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [T]
  return { message, stop }
}
