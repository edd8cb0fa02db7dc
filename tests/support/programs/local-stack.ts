import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { recordId } from '../../../lib/events/record-fields.ts'
import { fetchPatiently } from '../http/fetch-patiently.ts'
import { useFolder } from '../runner/use-folder.ts'
import { startProcess } from './run-command.ts'

export interface PlacedStack extends ReturnType<typeof startProcess> {
  url: string
  untilReady(): Promise<void>
}

const LOGS = new URL('../../../infra/local/data/chain-logs.ndjson', import.meta.url)

/** Stops the stacks and removes their folder after the tests of the calling file. */
export function useLocalStacks() {
  const logs = readFileSync(LOGS, 'utf8').split('\n')
  const stacks: PlacedStack[] = []
  const stopAll = async () => {
    for (const stack of stacks.splice(0)) {
      stack.child.kill('SIGTERM')
      await stack.ended
    }
  }
  afterAll(stopAll)
  const folder = useFolder()
  async function run(options: string[], env?: NodeJS.ProcessEnv): Promise<PlacedStack> {
    const port = await freePort()
    const args = ['infra/local/start.ts', '--port', String(port), ...options]
    const started = startProcess(process.execPath, args, { env })
    const untilReady = () => started.untilPrinted('Ctrl-C stops everything.')
    const stack = { ...started, url: `http://127.0.0.1:${port}`, untilReady }
    stacks.push(stack)
    return stack
  }
  return {
    folder,
    stopAll,
    run,
    async runReady(...given: Parameters<typeof run>): Promise<PlacedStack> {
      const stack = await run(...given)
      await stack.untilReady()
      return stack
    },
    /** A file with some of the bundled logs, and the sorted ids of their events. */
    eventFile(from: number, to: number) {
      const name = path.join(folder, `logs-${from}-${to}.ndjson`)
      const lines = logs.slice(from, to)
      writeFileSync(name, lines.join('\n'))
      return { name, ids: lines.map(line => recordId(JSON.parse(line))).sort() }
    },
  }
}

/** Returns the sorted ids of all events, which must fit into one page. */
export const idsServedBy = ({ url }: PlacedStack) => idsAt(`${url}/v1/token-events?limit=500`)

export async function idsAt(url: string): Promise<string[]> {
  const response = await fetchPatiently(url)
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }[]).map(record => record.id).sort()
}
