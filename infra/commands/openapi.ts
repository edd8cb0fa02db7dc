/**
 * `npm run openapi`: writes the OpenAPI document, its HTML reference and `llms.txt`, all of which the service serves.
 * Also writes the lists of networks and parameters for the client.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createCommand } from '../../lib/kit/create-command.ts'
import { generatedFiles } from '../../lib/site/openapi/generated-files.ts'

await createCommand('openapi')
  .description(
    "Writes the OpenAPI document, its HTML reference and llms.txt, all of which the service serves, and the client's lists of networks and parameters.",
  )
  .action(writeDocuments)
  .parseAsync()

async function writeDocuments() {
  const files = await generatedFiles()
  for (const [file, text] of files) await writeFile(file, text)
  console.log(`Written: ${files.map(([file]) => path.relative(process.cwd(), file)).join(', ')}`)
}
