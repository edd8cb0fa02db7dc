import path from 'node:path'
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'

/** Modules that the functions import when they are needed. Each is a file of its own beside the bundles. */
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

/** How every function is bundled. */
const BUNDLE_OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  // Loads about a tenth faster than the same bundle as an ES module.
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  plugins: [lateFiles, lambdaCredentials],
  // The SDK imports its part for streams of events when an operation has one; none of DynamoDB's does. Bundled, it
  // would make esbuild wrap each of the 158 modules that it shares with the rest into a function.
  external: ['@smithy/core/event-streams'],
  // Over plain HTTP, as npm start and the benchmarks ask, the SDK's handler imports `node:http`. As an ES module that has
  // all its exports read, one of which loads the whole of `fetch`; required, it has not.
  supported: { 'dynamic-import': false },
  logLevel: 'error',
}

interface BundlePlaces {
  /** The folder of the repository. */
  root: string
  /** Holds the bundle where `root` holds the entry. */
  outdir: string
}

/** Bundles a function, `functions/docs` say, as it is deployed; options of esbuild that are given replace its own. */
export const bundleFunction = (
  entry: string,
  { root, outdir, ...options }: BundlePlaces & BuildOptions,
): Promise<BuildResult> =>
  build({
    ...BUNDLE_OPTIONS,
    ...options,
    absWorkingDir: root,
    entryPoints: [`${entry}.ts`],
    outdir: path.join(outdir, path.dirname(entry)),
  })

/** The entry that a handler of serverless.yml stands in: `functions/docs` of `functions/docs.handler`. */
export const entryOf = (handler: string): string => handler.slice(0, handler.lastIndexOf('.'))
