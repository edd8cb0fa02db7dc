import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { FRAMEWORK, makeServiceFolder } from './service-folder.ts'

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
