import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const REPLAY = fileURLToPath(new URL('./replay.ts', import.meta.url))

export async function startReplay(engineEndpoint: string) {
  const { message, stop } = forkPart(REPLAY, [engineEndpoint], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { endpoint } = await message<{ endpoint: string }>()
  return { endpoint, stop }
}
