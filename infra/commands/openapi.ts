/** `npm run openapi`: writes the committed files that are generated from the code. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createCommand } from '../../lib/kit/create-command.ts'
import { generatedFiles } from '../../lib/site/openapi/generated-files.ts'

await createCommand('openapi')
  .description(
    "Writes the OpenAPI document that the service serves, and the client's lists of networks and parameters.",
  )
  .action(writeDocuments)
  .parseAsync()

async function writeDocuments() {
  const files = await generatedFiles()
  for (const [file, text] of files) await writeFile(file, text)
  console.log(`Written: ${files.map(([file]) => path.relative(process.cwd(), file)).join(', ')}`)
}
