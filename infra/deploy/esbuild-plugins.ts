/**
 * How functions are bundled, beside the options in serverless.yml: what is loaded late, or
 * never, stands in a file of its own, and so does what browsers load.
 */
import path from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { bundleExplorer } from './bundle-explorer.ts'

/** Modules that the functions import when they are needed. */
const LATE_MODULES = ['lib/store/all-credentials.ts']

/** By the file that is written: several functions share it. */
const underWay = new Map<string, Promise<unknown>>()

const lateFiles: Plugin = {
  name: 'late-files',
  setup({ initialOptions, onResolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path: imported, resolveDir }) => {
      const source = path.join(resolveDir, imported)
      if (kind !== 'dynamic-import' || !LATE_MODULES.some(module => source.endsWith(module))) return undefined
      await buildOnce(source, initialOptions)
      return { path: `./${path.basename(source, '.ts')}.cjs`, external: true }
    })
  },
}

/** Beside the functions' bundles, which import it from there. */
async function buildOnce(source: string, { outdir, ...options }: BuildOptions): Promise<void> {
  if (!outdir) throw new Error('Bundles need a folder to be written to')
  const file = path.join(outdir, `${path.basename(source, '.ts')}.cjs`)
  const { plugins: _, outExtension: __, ...same } = options
  const building = underWay.get(file) ?? build({ ...same, entryPoints: [source], outfile: file })
  underWay.set(file, building)
  await building
}

/** Only the credentials that Lambda gives; see default-credentials.ts. */
const lambdaCredentials: Plugin = {
  name: 'lambda-credentials',
  setup({ onResolve }) {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: path.resolve(import.meta.dirname, '../../lib/store/default-credentials.ts'),
    }))
  },
}

/** What browsers load stands ready before anything is packed or served. */
const explorerFiles: Plugin = {
  name: 'explorer-files',
  setup({ onStart }) {
    onStart(bundleExplorer)
  },
}

export default [lateFiles, lambdaCredentials, explorerFiles]
