import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { buildPages } from './build-pages.ts'
import { bundleFunction, entryOf } from './bundle-function.ts'
import type { FunctionEntry, Serverless } from './framework.ts'

/** The folder from which the framework uploads. */
const ARTIFACTS = '.serverless'

/**
 * A Serverless Framework plugin that writes the zip of each function: its bundle, and the files that match
 * `package.patterns` in serverless.yml. Identical sources produce identical zips, so an unchanged function keeps its
 * version.
 */
export default function packageFunctions({ serviceDir, service }: Serverless) {
  async function packageAll() {
    const folder = path.join(serviceDir, ARTIFACTS)
    await Promise.all([mkdir(folder, { recursive: true }), buildPages()])
    await Promise.all(
      Object.entries(service.functions).map(async ([name, definition]) => {
        const artifact = path.join(folder, `${name}.zip`)
        await writeFile(artifact, await zipFunction(definition, serviceDir))
        // The path is relative, because a pipeline may deploy the package from another checkout.
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

async function zipFunction(definition: FunctionEntry, root: string): Promise<Uint8Array> {
  const entry = entryOf(definition.handler)
  const { outputFiles = [] } = await bundleFunction(entry, { root, outdir: root, write: false })
  const files: Zippable = {}
  for (const { contents } of outputFiles) files[`${entry}.cjs`] = contents
  for await (const name of glob(definition.package?.patterns ?? [], { cwd: root })) {
    files[name] = await readFile(path.join(root, name))
  }
  return zipSync(sorted(files), { level: 9, mtime: EARLIEST, os: UNIX, attrs: READABLE })
}

/**
 * The earliest time that a zip can contain. Zips contain local times without a time zone, so this local time makes the
 * zips the same in every time zone.
 */
const EARLIEST = new Date(1980, 0, 1)
const UNIX = 3
/**
 * A file's attributes, with its mode in the upper half. All users may read the file, because Lambda runs as another
 * user.
 */
const READABLE = 0o100644 * 2 ** 16

const sorted = (files: Zippable): Zippable =>
  Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)))
