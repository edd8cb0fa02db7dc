import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { bundleFunction as bundleAsDeployed } from '../../../infra/deploy/bundle-function.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

export interface Bundle {
  file: string
  bytes: number
  /** The bytes from each npm package. `own` counts this repository's files. */
  packages: Record<string, number>
}

const BUILDS = {
  deployed: (entry: string, outdir: string) => bundleAsDeployed(entry, { ...MEASURED, outdir }),
  /** Like the deployed bundle, but with everything that the SDK imports. */
  'without-plugins': (entry: string, outdir: string) =>
    bundleAsDeployed(entry, { ...MEASURED, outdir, plugins: [], external: [] }),
  /** With esbuild's defaults. */
  naive: (entry: string, outdir: string) => build(plainOptions(`${entry}.ts`, outdir)),
}

const MEASURED = { root: ROOT, metafile: true }

const plainOptions = (entry: string, outdir: string): BuildOptions => ({
  bundle: true,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'node24',
  absWorkingDir: ROOT,
  entryPoints: [entry],
  outdir,
  metafile: true,
  logLevel: 'error',
})

/** Bundles an entry such as `functions/docs`. By default, builds the bundle that is deployed. */
export async function bundleFunction(
  entry: string,
  { outdir, build: how = 'deployed' }: { outdir: string; build?: keyof typeof BUILDS },
): Promise<Bundle> {
  const { metafile } = await BUILDS[how](entry, outdir)
  const [[file, output] = []] = Object.entries(metafile?.outputs ?? {})
  if (!file || !output) throw new Error(`esbuild wrote no bundle for ${entry}`)
  const packages: Record<string, number> = {}
  for (const [name, { bytesInOutput }] of Object.entries(output.inputs)) {
    const owner = packageOf(name)
    if (bytesInOutput > 0) packages[owner] = (packages[owner] ?? 0) + bytesInOutput
  }
  return { file: path.resolve(ROOT, file), bytes: output.bytes, packages }
}

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/

const packageOf = (name: string) => PACKAGE.exec(name)?.[1] ?? 'own'
