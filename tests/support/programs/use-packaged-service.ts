import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { type FunctionPackage, readPackages } from '../../../infra/operate/package/packaged-service.ts'
import { runPart } from '../runner/run-part.ts'
import type { PackageRequest } from './package-service.ts'

export interface Resource {
  Type: string
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string | string[]
  Properties: Record<string, unknown>
}

export interface Template {
  Resources: Record<string, Resource>
}

export interface PackagedService {
  folder: string
  template: Template
  packages: FunctionPackage[]
  /** By file name in the zip. */
  bundles: Record<string, Uint8Array>
  stackTags: unknown
  /** If set, CloudFormation refuses to delete the stack. */
  deletionProtection: unknown
}

/** The package is available during this file's tests. */
export function usePackagedService(
  stage: string,
  settings: PackageRequest['settings'] = {},
): PackagedService {
  let packaged: PackagedService | undefined
  beforeAll(async () => {
    const request: PackageRequest = { stage, settings }
    const { folder } = await runPart<{ folder: string }>('package', request)
    packaged = await readPackagedService(folder)
  })
  const known = () => {
    if (!packaged) throw new Error('The service is packaged only while tests run')
    return packaged
  }
  return {
    get folder() {
      return known().folder
    },
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
    get deletionProtection() {
      return known().deletionProtection
    },
  }
}

type ProtectedProvider = Pick<PackagedService, 'stackTags' | 'deletionProtection'>

async function readPackagedService(folder: string): Promise<PackagedService> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'))
  const { service } = (await read('serverless-state.json')) as { service: { provider: ProtectedProvider } }
  return {
    folder,
    template: await read('cloudformation-template-update-stack.json'),
    packages: await readPackages(folder),
    bundles: await readBundles(folder),
    stackTags: service.provider.stackTags,
    deletionProtection: service.provider.deletionProtection ?? undefined,
  }
}

async function readBundles(folder: string): Promise<Record<string, Uint8Array>> {
  const zips = (await readdir(folder)).filter(file => file.endsWith('.zip'))
  const filter = ({ name }: { name: string }) => name.endsWith('.cjs')
  const files = zips.map(async zip => unzipSync(await readFile(path.join(folder, zip)), { filter }))
  return Object.assign({}, ...(await Promise.all(files)))
}

export function resourcesOf({ Resources }: Template, type: string): Record<string, Resource> {
  return Object.fromEntries(Object.entries(Resources).filter(([, resource]) => resource.Type === type))
}

/** The alarms and schedules whose names match, sorted. A schedule is named by its function, rate and state. */
export function optionalParts(template: Template, names: RegExp): string[] {
  const rules = Object.values(resourcesOf(template, 'AWS::Events::Rule')).map(({ Properties }) => {
    const { ScheduleExpression, State, Targets } = Properties
    const [, name] = /"(\w+)LambdaFunction"/.exec(JSON.stringify(Targets)) ?? []
    return `${name} ${ScheduleExpression} ${State}`
  })
  const alarms = Object.keys(resourcesOf(template, 'AWS::CloudWatch::Alarm'))
  return [...alarms, ...rules].filter(name => names.test(name)).sort()
}
