/**
 * Builds Lambda's own runtime client into .local. Skips the build if the client exists, because a build takes minutes.
 * The build needs Debian's autoconf, automake, libtool, cmake, make, g++ and python3.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { RUNTIME_CLIENT, RUNTIME_CLIENT_FOLDER } from './runtime-client.ts'

const VERSION = '4.0.2'
const NEEDED = ['autoconf', 'automake', 'libtoolize', 'cmake', 'make', 'g++', 'python3']

if (!existsSync(RUNTIME_CLIENT)) {
  const missing = NEEDED.filter(program => spawnSync(program, ['--version']).status !== 0)
  if (missing.length > 0)
    throw new Error(`Lambda's runtime client cannot be built without ${missing.join(', ')}`)
  mkdirSync(RUNTIME_CLIENT_FOLDER, { recursive: true })
  const options = ['--prefix', RUNTIME_CLIENT_FOLDER, '--no-save', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', ...options, `aws-lambda-ric@${VERSION}`], {
    stdio: 'inherit',
  })
  if (status !== 0 || !existsSync(RUNTIME_CLIENT)) throw new Error("Lambda's runtime client was not built")
}
