import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { type FunctionPackage, readPackages } from '../../../infra/commands/package/read-packages.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const SERVERLESS = path.join(ROOT, 'node_modules/serverless/bin/serverless.js')
/** Nothing listens there: whatever wants to reach the network fails. */
const NO_NETWORK = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }
const PACKAGE_TIMEOUT_MS = 120_000

export interface Resource {
  Type: string
  Condition?: string
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string | string[]
  Properties: Record<string, unknown>
}

export interface Template {
  Conditions: Record<string, unknown>
  Resources: Record<string, Resource>
}

export interface PackagedService {
  template: Template
  packages: FunctionPackage[]
  /** The code of each function, by its file in the zip. */
  bundles: Record<string, Uint8Array>
  /** What CloudFormation puts on everything in the stack. */
  stackTags: unknown
}

/** Packages the service as `npm run package` does, in folders of its own, without an account. */
async function packageService(
  stage: string,
  parameters: Record<string, string> = {},
): Promise<PackagedService> {
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
    const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'))
    const state = (await read('serverless-state.json')) as { service: { provider: { stackTags: unknown } } }
    return {
      template: await read('cloudformation-template-update-stack.json'),
      packages: await readPackages(folder),
      bundles: await readBundles(folder),
      stackTags: state.service.provider.stackTags,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(path.join(ROOT, buildFolder), { recursive: true, force: true })
  }
}

async function readBundles(folder: string): Promise<Record<string, Uint8Array>> {
  const zips = (await readdir(folder)).filter(file => file.endsWith('.zip'))
  const filter = ({ name }: { name: string }) => name.endsWith('.cjs')
  const files = zips.map(async zip => unzipSync(await readFile(path.join(folder, zip)), { filter }))
  return Object.assign({}, ...(await Promise.all(files)))
}

/** Packages the service once, before the tests of this file. */
export function usePackagedService(stage: string, parameters: Record<string, string> = {}): PackagedService {
  let packaged: PackagedService | undefined
  beforeAll(async () => {
    packaged = await packageService(stage, parameters)
  }, PACKAGE_TIMEOUT_MS)
  const known = () => {
    if (!packaged) throw new Error('The service is packaged only while tests run')
    return packaged
  }
  return {
    get template() {
      return known().template
    },
    get packages() {
      return known().packages
    },
    get bundles() {
      return known().bundles
    },
    get stackTags() {
      return known().stackTags
    },
  }
}

/** The template's resources of a type, by their name there. */
export function resourcesOf({ Resources }: Template, type: string): Record<string, Resource> {
  return Object.fromEntries(Object.entries(Resources).filter(([, resource]) => resource.Type === type))
}
