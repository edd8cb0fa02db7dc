import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { KEPT_FOR_MINUTES } from './cache-control.ts'
import { NotFoundError } from './http-errors.ts'
import { type HttpResponse, textResponse } from './response.ts'

/** Reads a file of a page by the name that the page has for it. */
export type ReadAsset<Name extends string> = (name: Name) => Promise<string>

/**
 * Reads files, each once for as long as the function lives. `files` says where each stands, from the folder that
 * holds `lib` and `node_modules`.
 */
export function assetReader<Name extends string>(
  root: string,
  files: Readonly<Record<Name, string>>,
): ReadAsset<Name> {
  const read = new Map<Name, Promise<string>>()
  return name => {
    const reading = read.get(name) ?? readFile(path.join(root, files[name]), 'utf8')
    read.set(name, reading)
    reading.catch(() => read.delete(name))
    return reading
  }
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

interface AskedAsset<Name extends string> {
  /** Those that the page may load. */
  files: Readonly<Partial<Record<Name, string>>>
  readAsset: ReadAsset<Name>
}

/** A file that a page loads. Throws `NotFoundError` for a name that is none of its files'. */
export async function assetResponse<Name extends string>(
  name: string,
  { files, readAsset }: AskedAsset<Name>,
): Promise<HttpResponse> {
  if (!Object.hasOwn(files, name)) throw new NotFoundError()
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain'
  return textResponse(type, await readAsset(name as Name), { 'Cache-Control': KEPT_FOR_MINUTES })
}
