import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { parse } from 'yaml'

const ROOT = path.resolve(import.meta.dirname, '../../..')

export interface Bundle {
  file: string
  bytes: number
  /** How many bytes of the bundle come from each npm package; `own` for this repository's files. */
  packages: Record<string, number>
}

/** The esbuild options that serverless.yml gives, without those that only its plugin understands. */
async function deployedOptions(): Promise<BuildOptions> {
  const { custom } = parse(await readFile(path.join(ROOT, 'serverless.yml'), 'utf8')) as {
    custom: { esbuild: Record<string, unknown> }
  }
  const { exclude, outputFileExtension, outputWorkFolder, skipRebuild, watch, plugins, ...options } =
    custom.esbuild
  return {
    ...options,
    external: [...listOf(options.external), ...listOf(exclude)],
    outExtension: { '.js': String(outputFileExtension) },
    ...(typeof plugins === 'string' && { plugins: (await import(path.join(ROOT, plugins))).default }),
  }
}

const BUILDS = {
  deployed: deployedOptions,
  /** With the options of serverless.yml, but with all that the SDK imports. */
  'without-plugins': async () => ({ ...(await deployedOptions()), plugins: [], external: [] }),
  /** With nothing but esbuild's defaults. */
  naive: async (): Promise<BuildOptions> => ({
    bundle: true,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
}

/** Bundles an entry file into `outdir` as a deployment does, or as one would who has never looked. */
export async function bundleFunction(
  entry: string,
  { outdir, build: how = 'deployed' }: { outdir: string; build?: keyof typeof BUILDS },
): Promise<Bundle> {
  const { metafile } = await build({
    ...(await BUILDS[how]()),
    platform: 'node',
    target: 'node24',
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir,
    metafile: true,
    logLevel: 'error',
  })
  const [[file, output] = []] = Object.entries(metafile.outputs)
  if (!file || !output) throw new Error(`${entry} made no bundle`)
  const packages: Record<string, number> = {}
  for (const [name, { bytesInOutput }] of Object.entries(output.inputs)) {
    const owner = packageOf(name)
    if (bytesInOutput > 0) packages[owner] = (packages[owner] ?? 0) + bytesInOutput
  }
  return { file: path.resolve(ROOT, file), bytes: output.bytes, packages }
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/

const packageOf = (name: string) => PACKAGE.exec(name)?.[1] ?? 'own'
