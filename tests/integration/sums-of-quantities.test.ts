import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { EventRecord } from '../../lib/events/record.ts'
import { readEvents } from '../../lib/ingest/load/read-events.ts'
import { listenWith, useListening } from '../support/http/listen.ts'
import { serveEvents } from '../support/http/serve-events.ts'
import { useFolder } from '../support/runner/use-folder.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
const ROOT = path.resolve(import.meta.dirname, '../..')
const folder = useFolder()

const api = useListening(async () => {
  const records: EventRecord[] = []
  for await (const { outcome } of readEvents([path.join(ROOT, 'infra/local/data/recorded.ndjson')])) {
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  }
  return listenWith((await serveEvents(engine, records)).store)
})

test('the program of the client adds up the transfers of a wallet', async () => {
  const page = await readFile(path.join(ROOT, 'lib/client/README.md'), 'utf8')
  const [, code = ''] = /```ts\n(.*?)```/s.exec(page.split('## Sums')[1] ?? '') ?? []
  const program = path.join(folder, 'sums.ts')
  const own = code
    .replace('http://127.0.0.1:3000', api.baseUrl)
    .replace('./lib/client/', `${ROOT}/lib/client/`)
  await writeFile(program, own)
  const { stdout } = await promisify(execFile)(process.execPath, [program])

  // The wallet's mint events (10 of id 1, 1 of id 3, 20 of id 4 and 300 of id 5) repeat transfers, so they must not be
  // added.
  expect(stdout.trim().split('\n').sort()).toEqual(['1: 5', '3: 0', '4: 9', '5: 197'])
})
