import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { recordId } from '../../../lib/events/record-fields.ts'
import { fetchPatiently } from '../http/fetch-patiently.ts'
import { useFolder } from '../runner/use-folder.ts'

type LocalStack = ReturnType<typeof runLocalStack>
export type PlacedStack = LocalStack & { url: string }

const START = fileURLToPath(new URL('../../../infra/local/start.ts', import.meta.url))
const LOGS = new URL('../../../infra/local/data/chain-logs.ndjson', import.meta.url)
const READY = 'Ctrl-C stops everything.'

/** Stops the stacks and removes their folder after the tests of the calling file. */
export function useLocalStacks() {
  const logs = readFileSync(LOGS, 'utf8').split('\n')
  const stacks: LocalStack[] = []
  const stopAll = async () => {
    for (const stack of stacks.splice(0)) {
      stack.process.kill('SIGTERM')
      await stack.ended
    }
  }
  afterAll(stopAll)
  const folder = useFolder()
  async function run(options: string[], variables?: NodeJS.ProcessEnv): Promise<PlacedStack> {
    const port = await freePort()
    const stack = runLocalStack(['--port', String(port), ...options], variables)
    stacks.push(stack)
    return { ...stack, url: `http://127.0.0.1:${port}` }
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

function runLocalStack(options: string[], variables: NodeJS.ProcessEnv = {}) {
  const child = spawn(execPath, [START, ...options], {
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { all: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', chunk => {
    printed.all += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    printed.all += chunk
    printed.errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const untilPrinted = async (text: string) => {
    const end = ended.then(() => 'ended')
    while (!printed.all.includes(text)) {
      const next = await Promise.race([once(child.stdout, 'data'), end])
      if (next === 'ended' && !printed.all.includes(text)) {
        throw new Error(`The local stack ended without printing "${text}":\n${printed.all}`)
      }
    }
  }
  return {
    process: child,
    /** Standard output and standard error so far. */
    output: () => printed.all,
    errors: () => printed.errors,
    untilPrinted,
    untilReady: () => untilPrinted(READY),
    ended,
  }
}

/** Returns the sorted ids of all events, which must fit into one page. */
export const idsServedBy = ({ url }: PlacedStack) => idsAt(`${url}/v1/token-events?limit=500`)

export async function idsAt(url: string): Promise<string[]> {
  const response = await fetchPatiently(url)
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }[]).map(record => record.id).sort()
}
