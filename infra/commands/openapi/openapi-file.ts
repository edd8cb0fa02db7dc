import { fileURLToPath } from 'node:url'
import { buildDocument } from './build-document.ts'

/** Where the document stands, for the documentation function to serve. */
export const OPENAPI_FILE = fileURLToPath(new URL('../../../lib/http/docs/openapi.json', import.meta.url))

/** What stands there when nothing has changed since. */
export const openapiText = async (): Promise<string> => `${JSON.stringify(await buildDocument(), null, 2)}\n`
