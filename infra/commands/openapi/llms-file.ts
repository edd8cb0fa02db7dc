import { fileURLToPath } from 'node:url'
import { buildLlmsText } from './build-llms-text.ts'
import { readExamples } from './example-records.ts'
import { openapiText } from './openapi-file.ts'

/** Where the text stands, for the documentation function to serve at `/llms.txt`. */
export const LLMS_FILE = fileURLToPath(new URL('../../../lib/http/docs/llms.txt', import.meta.url))

/** What stands there when nothing has changed since. */
export const llmsText = async (): Promise<string> =>
  buildLlmsText({ document: JSON.parse(await openapiText()), examples: await readExamples() })
