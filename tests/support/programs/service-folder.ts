import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../../..')
/** The framework reads these files. The configuration must be a file, but everything else may be a link. */
const CONFIGURATION = 'serverless.yml'
const LINKED = ['package.json', 'tsconfig.json', 'functions', 'infra', 'lib', 'node_modules']

export const FRAMEWORK = 'node_modules/serverless/bin/serverless.js'

/**
 * A copy of the repository for one run of the framework. Two simultaneous runs need two folders, because the framework
 * writes its results into the service's folder and deletes earlier results there.
 */
export async function makeServiceFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-'))
  await copyFile(path.join(ROOT, CONFIGURATION), path.join(folder, CONFIGURATION))
  await Promise.all(LINKED.map(name => symlink(path.join(ROOT, name), path.join(folder, name))))
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) }
}
