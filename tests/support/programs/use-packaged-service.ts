import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { readPackages } from '../../../infra/operate/package/packaged-service.ts'
import { runPart } from '../runner/run-part.ts'
import { useStarted } from '../runner/use-started.ts'
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

export type PackagedService = Awaited<ReturnType<typeof readPackagedService>>

/** Packages the service for the tests of the calling file. */
export const usePackagedService = (stage: string, settings: PackageRequest['settings'] = {}) =>
  useStarted(async () => {
    const { folder } = await runPart<{ folder: string }>('package', {
      stage,
      settings,
    } satisfies PackageRequest)
    return readPackagedService(folder)
  })

async function readPackagedService(folder: string) {
  const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'))
  const { provider } = (await read('serverless-state.json')).service as { provider: Record<string, unknown> }
  return {
    folder,
    template: (await read('cloudformation-template-update-stack.json')) as Template,
    packages: await readPackages(folder),
    /** The functions' bundles, by their file names in the zip files. */
    bundles: await readBundles(folder),
    /** If set, CloudFormation refuses to delete the stack. */
    deletionProtection: provider.deletionProtection ?? undefined,
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
