/** `npm run openapi`: writes the OpenAPI document that the service serves. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { OPENAPI_FILE, openapiText } from './openapi/openapi-file.ts'
import { createCommand } from './shared/create-command.ts'

await createCommand('openapi')
  .description('Writes the OpenAPI document that the service serves.')
  .action(writeDocument)
  .parseAsync()

async function writeDocument() {
  await writeFile(OPENAPI_FILE, await openapiText())
  console.log(`The document is in ${path.relative(process.cwd(), OPENAPI_FILE)}`)
}
