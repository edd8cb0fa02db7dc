import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../infra/local/processes/free-port.ts'
import { type LocalStack, runLocalStack } from '../support/programs/local-stack.ts'

/** Runs the local stack with the bundled events while this file's tests run. */
export function useLocalStack(): { readonly baseUrl: string } {
  let stack: LocalStack | undefined
  let baseUrl = ''
  let dataDir = ''

  beforeAll(async () => {
    const port = await freePort()
    dataDir = await mkdtemp(path.join(tmpdir(), 'events-docs-'))
    stack = runLocalStack(['--port', String(port), '--data-dir', dataDir])
    await stack.untilReady()
    baseUrl = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    stack?.process.kill('SIGTERM')
    await stack?.ended
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    get baseUrl() {
      return baseUrl
    },
  }
}
