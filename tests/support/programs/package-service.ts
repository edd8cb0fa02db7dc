import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const SERVERLESS = path.join(ROOT, 'node_modules/serverless/bin/serverless.js')
/** Nothing listens there: whatever wants to reach the network fails. */
const NO_NETWORK = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }

export interface PackageRequest {
  stage: string
  parameters: Record<string, string>
}

/** Packages the service as `npm run package` does, without an account, and tells the folder of what was made. */
export async function packageService({ stage, parameters }: PackageRequest): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'packaged-'))
  const buildFolder = path.join('.local', 'build', randomUUID())
  const given = Object.entries({ ...parameters, buildFolder }).flatMap(([name, value]) => [
    '--param',
    `${name}=${value}`,
  ])
  try {
    await promisify(execFile)(
      process.execPath,
      [SERVERLESS, 'package', '--stage', stage, '--package', folder, ...given],
      { cwd: ROOT, env: { ...NO_NETWORK, PATH: process.env.PATH, HOME: folder } },
    )
    return folder
  } catch (error) {
    await removePackage(folder)
    throw error
  } finally {
    await rm(path.join(ROOT, buildFolder), { recursive: true, force: true })
  }
}

export const removePackage = (folder: string) => rm(folder, { recursive: true, force: true })
