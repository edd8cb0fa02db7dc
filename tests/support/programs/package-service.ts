import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

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

/** No proxy listens at this address, so every use of the network fails. */
const NO_NETWORK = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }

export interface PackageRequest {
  stage: string
  settings: Record<string, unknown>
}

/** Packages the service as `npm run package` does, but without an AWS account. Returns the output folder. */
export async function packageService({ stage, settings }: PackageRequest): Promise<string> {
  const service = await makeServiceFolder()
  const folder = `${service.folder}-package`
  try {
    const settingsFolder = path.join(service.folder, 'settings')
    await mkdir(settingsFolder)
    await writeFile(path.join(settingsFolder, `${stage}.yml`), JSON.stringify(settings))
    await promisify(execFile)(
      process.execPath,
      [FRAMEWORK, 'package', '--stage', stage, '--package', folder],
      {
        cwd: service.folder,
        env: { ...process.env, ...NO_NETWORK, HOME: service.folder, EVENTS_SETTINGS_FOLDER: settingsFolder },
      },
    )
    return folder
  } catch (error) {
    await removePackage(folder)
    throw error
  } finally {
    await service.stop()
  }
}

export const removePackage = (folder: string) => rm(folder, { recursive: true, force: true })
