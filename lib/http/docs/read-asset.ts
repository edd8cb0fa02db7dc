import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** Where each file of the documentation stands, from the folder that holds `lib` and `node_modules`. */
const FILES = {
  'openapi.json': 'lib/http/docs/openapi.json',
  'docs.js': 'lib/http/docs/page/docs.js',
  'docs.css': 'lib/http/docs/page/docs.css',
  'icon.svg': 'lib/http/docs/page/icon.svg',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
} as const

export type AssetName = keyof typeof FILES

/** Whether the page loads a file of that name; the OpenAPI document has a path of its own. */
export const isPageFile = (name: string): name is AssetName =>
  Object.hasOwn(FILES, name) && name !== 'openapi.json'

/** Reads the files of the documentation, each once for as long as the function lives. */
export function assetReader(root: string): (name: AssetName) => Promise<string> {
  const read = new Map<AssetName, Promise<string>>()
  return name => {
    const reading = read.get(name) ?? readFile(path.join(root, FILES[name]), 'utf8')
    read.set(name, reading)
    reading.catch(() => read.delete(name))
    return reading
  }
}
