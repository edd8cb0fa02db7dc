/** `npm run bench:load [seconds of each level]` sends mixed requests under load and checks every answer. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { handlesOf, type LoadSample, reportLoad, socketsOf } from './report-load.ts'
import { loadRequests } from './requests.ts'
import { type LevelResult, runLevel } from './run-level.ts'
import type { ProcessState } from './serve-functions.ts'

const REPORT = new URL('../load.md', import.meta.url)
const SERVER = fileURLToPath(new URL('./serve-functions.ts', import.meta.url))
const SEED = 20_261_121
const CONNECTIONS = [1, 4, 16, 64]
const SAMPLE_EVERY_MS = 10_000
/** Client and server close an idle connection after five seconds. */
const SETTLE_MS = 8_000

const secondsEach = Number(process.argv[2] ?? 45)
const records = eventSetOf({ blocks: 40, events: 6, crowd: 600 }, SEED).map(inAscii)
const requests = loadRequests(records, SEED)
const engine = await startEngine({ engine: 'dynalite' })
try {
  await fill(engine.endpoint)
  const server = await serveFunctions(engine.endpoint)
  const { levels, samples } = await load(server)
  await server.stop()
  const report = reportLoad(levels, samples)
  console.log(report)
  await writeFile(REPORT, report)
  check(levels, samples)
} finally {
  await engine.stop()
}

/** Encodes strings as ASCII, because autocannon decodes each chunk on its own, which breaks multi-byte characters. */
function inAscii(record: EventRecord): EventRecord {
  return 'bucketHash' in record ? { ...record, bucketHash: encodeURIComponent(record.bucketHash) } : record
}

async function fill(endpoint: string) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
  await createTable({ client, tableName: 'events' })
  await writeEvents({ client, tableName: 'events' }, records)
  client.destroy()
}

async function serveFunctions(endpoint: string) {
  const { child, message, stop } = forkPart(SERVER, [], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      EVENTS_TABLE: 'events',
    },
  })
  const { baseUrl } = await message<{ baseUrl: string }>()
  return {
    baseUrl,
    stop,
    state() {
      child.send('state')
      return message<ProcessState>()
    },
  }
}

async function load({ baseUrl, state }: Awaited<ReturnType<typeof serveFunctions>>) {
  const levels: LevelResult[] = []
  const samples: LoadSample[] = []
  const warmed = await runLevel(baseUrl, requests, { connections: 8, seconds: 5 })
  await delay(SETTLE_MS)
  const startedAt = performance.now()
  const sample = async (doing: string) => {
    const found = await state()
    samples.push({ ...found, seconds: (performance.now() - startedAt) / 1000, doing })
  }
  await sample(`idle, after ${warmed.requests} requests`)
  for (const connections of CONNECTIONS) {
    const timer = setInterval(() => void sample(`${connections} connections`), SAMPLE_EVERY_MS)
    levels.push(await runLevel(baseUrl, requests, { connections, seconds: secondsEach }))
    clearInterval(timer)
  }
  await delay(SETTLE_MS)
  await sample('idle again')
  return { levels, samples }
}

function check(levels: LevelResult[], samples: LoadSample[]) {
  const problems = levels.flatMap(({ wrong, errors, connections }) => [
    ...wrong.slice(0, 5).map(what => `A wrong answer: ${what}`),
    ...(errors > 0 ? [`${errors} errors with ${connections} connections`] : []),
  ])
  const [first] = samples
  const last = samples.at(-1)
  if (socketsOf(last?.resources) > socketsOf(first?.resources)) problems.push('Sockets were left open')
  if (handlesOf(last?.resources) > handlesOf(first?.resources)) problems.push('Handles were left open')
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
