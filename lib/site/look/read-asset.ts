import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { KEPT_FOR_GOOD, KEPT_FOR_MINUTES } from '../../http/cache-control.ts'
import { NotFoundError } from '../../http/problems.ts'
import { type HttpResponse, textResponse } from '../../http/response.ts'

/** `name` is the file's name without a digest. */
export type ReadAsset<Name extends string> = (name: Name) => Promise<string>

/** Caches files for the lifetime of the Lambda instance. Paths are relative to `root`, which contains `lib`. */
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

/** The length of a digest in a file name: 60 bits, enough to distinguish all versions of a file. */
const DIGEST_LETTERS = 10
const CONTENT_NAME = new RegExp(String.raw`^(.+)\.[\w-]{${DIGEST_LETTERS}}(\.\w+)$`)

/** Returns a name such as `explorer.Uk2bY0aXw4.js` for `explorer.js`. The name changes whenever the text changes. */
export function contentName(name: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LETTERS)
  const extension = path.extname(name)
  return `${path.basename(name, extension)}.${digest}${extension}`
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface AskedAsset<Name extends string> {
  files: Readonly<Partial<Record<Name, string>>>
  readAsset: ReadAsset<Name>
}

/**
 * Returns a file that a page loads. `asked` is the requested name, with or without a digest. The response may be cached
 * for a year only if the digest is current. For an old digest, which a page of an earlier deployment may request,
 * returns the current file, cached for five minutes. Throws `NotFoundError` for any other name.
 */
export async function assetResponse<Name extends string>(
  asked: string,
  { files, readAsset }: AskedAsset<Name>,
): Promise<HttpResponse> {
  const name = Object.hasOwn(files, asked) ? asked : asked.replace(CONTENT_NAME, '$1$2')
  if (!Object.hasOwn(files, name)) throw new NotFoundError()
  const text = await readAsset(name as Name)
  const type = TYPES[path.extname(name)] ?? 'text/plain'
  const isOfContent = asked === contentName(name, text)
  return textResponse(type, text, { 'Cache-Control': isOfContent ? KEPT_FOR_GOOD : KEPT_FOR_MINUTES })
}
