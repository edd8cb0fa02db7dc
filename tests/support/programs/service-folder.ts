import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../../..')
/** What the framework reads of the repository; its configuration has to be a file, all else may be a link. */
const CONFIGURATION = 'serverless.yml'
const LINKED = ['package.json', 'tsconfig.json', 'functions', 'infra', 'lib', 'node_modules']

/** Where the framework's command line is, in a service folder. */
export const FRAMEWORK = 'node_modules/serverless/bin/serverless.js'

export interface ServiceFolder {
  folder: string
  remove(): Promise<void>
}

/**
 * A folder that the framework takes for the repository. It keeps what it makes in its service's folder, and removes
 * what it finds there, so that two in one folder at once would take each other's.
 */
export async function makeServiceFolder(): Promise<ServiceFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-'))
  await copyFile(path.join(ROOT, CONFIGURATION), path.join(folder, CONFIGURATION))
  await Promise.all(LINKED.map(name => symlink(path.join(ROOT, name), path.join(folder, name))))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
