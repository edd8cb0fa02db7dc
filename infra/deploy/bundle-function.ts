import path from 'node:path'
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'

/** Modules that the functions load on demand. Each of them gets its own file next to the bundles. */
const LATE_MODULES = ['lib/store/all-credentials.ts']

/** The builds by output file. The map keeps each build, because several functions may need the same file. */
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

async function buildOnce(source: string, { outdir, ...options }: BuildOptions): Promise<void> {
  if (!outdir) throw new Error('The folder for the bundles (outdir) must be set')
  const file = path.join(outdir, `${path.basename(source, '.ts')}.cjs`)
  const { plugins: _, outExtension: __, ...same } = options
  const building = underWay.get(file) ?? build({ ...same, entryPoints: [source], outfile: file })
  underWay.set(file, building)
  await building
}

/** Replaces the SDK's search for credentials with default-credentials.ts. */
const lambdaCredentials: Plugin = {
  name: 'lambda-credentials',
  setup({ onResolve }) {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: path.resolve(import.meta.dirname, '../../lib/store/default-credentials.ts'),
    }))
  },
}

const BUNDLE_OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  // A CommonJS bundle loads about 10 % faster than the same bundle as an ES module.
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  plugins: [lateFiles, lambdaCredentials],
  // The SDK loads its event-stream code only for operations with a stream, and DynamoDB has no such operations. The
  // bundle omits this code, because esbuild would otherwise wrap each of 158 shared modules in a function.
  external: ['@smithy/core/event-streams'],
  // For plain HTTP (npm start, benchmarks), the SDK's handler imports `node:http` dynamically. A dynamic import reads
  // all exports, one of which loads all of `fetch`. The setting makes the import a `require`, which reads no exports.
  supported: { 'dynamic-import': false },
  logLevel: 'error',
}

interface BundlePlaces {
  root: string
  /** The output folder. A bundle has the same path within `outdir` as its entry file has within `root`. */
  outdir: string
}

/** Bundles a function, such as `functions/docs`, for deployment. The given esbuild options override the defaults. */
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

/** Returns the entry file of a handler in serverless.yml: `functions/docs` for `functions/docs.handler`. */
export const entryOf = (handler: string): string => handler.slice(0, handler.lastIndexOf('.'))
