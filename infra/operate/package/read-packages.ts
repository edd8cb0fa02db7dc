import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'

export interface FunctionPackage {
  /** The function's name in serverless.yml. */
  name: string
  /** The size of the zip. */
  bytes: number
  files: { name: string; bytes: number }[]
}

/** Lists the files in the zips of a packaged service, sorted by the functions' names. */
export async function readPackages(folder: string): Promise<FunctionPackage[]> {
  const zips = (await readdir(folder)).filter(file => file.endsWith('.zip')).sort()
  return Promise.all(
    zips.map(async file => {
      const zip = await readFile(path.join(folder, file))
      const files: FunctionPackage['files'] = []
      unzipSync(zip, {
        filter({ name, originalSize }) {
          files.push({ name, bytes: originalSize })
          return false
        },
      })
      return { name: path.basename(file, '.zip'), bytes: zip.length, files }
    }),
  )
}
