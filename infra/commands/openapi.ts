/** `npm run openapi`: writes the OpenAPI document and `llms.txt`, which the service serves. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { LLMS_FILE, llmsText } from './openapi/llms-file.ts'
import { OPENAPI_FILE, openapiText } from './openapi/openapi-file.ts'
import { createCommand } from './shared/create-command.ts'

await createCommand('openapi')
  .description('Writes the OpenAPI document and llms.txt, which the service serves.')
  .action(writeDocuments)
  .parseAsync()

async function writeDocuments() {
  await writeFile(OPENAPI_FILE, await openapiText())
  await writeFile(LLMS_FILE, await llmsText())
  const files = [OPENAPI_FILE, LLMS_FILE].map(file => path.relative(process.cwd(), file))
  console.log(`The documents are in ${files.join(' and ')}`)
}
