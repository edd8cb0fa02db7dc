import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { bundleExplorer } from './bundle-explorer.ts'
import { bundleFunction, entryOf } from './bundle-function.ts'

interface PackagedFunction {
  /** The file and its export, as `functions/docs.handler`. */
  handler: string
  package?: { patterns?: string[]; artifact?: string }
}

interface Serverless {
  serviceDir: string
  service: { functions: Record<string, PackagedFunction> }
}

/** Where the framework takes what it uploads from. */
const ARTIFACTS = '.serverless'

/**
 * A plugin of the framework: makes the zip of each function, which holds the function's bundle and the files that its
 * `package.patterns` in serverless.yml name. The same sources make the same bytes, so a version is new only where its
 * code is.
 */
export default function packageFunctions({ serviceDir, service }: Serverless) {
  async function packageAll() {
    const folder = path.join(serviceDir, ARTIFACTS)
    await Promise.all([mkdir(folder, { recursive: true }), bundleExplorer()])
    await Promise.all(
      Object.entries(service.functions).map(async ([name, definition]) => {
        const artifact = path.join(folder, `${name}.zip`)
        await writeFile(artifact, await zipFunction(definition, serviceDir))
        // Relative: a deployment looks for it in its own folder, whichever folder it was made in.
        definition.package = { artifact: path.relative(serviceDir, artifact) }
      }),
    )
  }
  return {
    hooks: {
      'before:package:createDeploymentArtifacts': packageAll,
      'before:deploy:function:packageFunction': packageAll,
    },
  }
}

async function zipFunction(definition: PackagedFunction, root: string): Promise<Uint8Array> {
  const entry = entryOf(definition.handler)
  const { outputFiles = [] } = await bundleFunction(entry, { root, outdir: root, write: false })
  const files: Zippable = {}
  for (const { contents } of outputFiles) files[`${entry}.cjs`] = contents
  for await (const name of glob(definition.package?.patterns ?? [], { cwd: root })) {
    files[name] = await readFile(path.join(root, name))
  }
  return zipSync(sorted(files), { level: 9, mtime: EARLIEST, os: UNIX, attrs: READABLE })
}

/** The earliest time that a zip can hold. Zips hold local times, so this is the same in every zone. */
const EARLIEST = new Date(1980, 0, 1)
const UNIX = 3
/** A regular file that everybody may read, in the upper half of a zip's attributes: the function's user is not its owner. */
const READABLE = 0o100644 * 2 ** 16

const sorted = (files: Zippable): Zippable =>
  Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)))
