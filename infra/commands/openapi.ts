/** `npm run openapi`: writes the OpenAPI document and `llms.txt`, which the service serves, and the client's type of networks. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CLIENT_NETWORK_FILE, clientNetworkText } from './openapi/client-network-file.ts'
import { LLMS_FILE, llmsText } from './openapi/llms-file.ts'
import { OPENAPI_FILE, openapiText } from './openapi/openapi-file.ts'
import { createCommand } from './shared/create-command.ts'

await createCommand('openapi')
  .description(
    "Writes the OpenAPI document and llms.txt, which the service serves, and the client's type of networks.",
  )
  .action(writeDocuments)
  .parseAsync()

async function writeDocuments() {
  await writeFile(OPENAPI_FILE, await openapiText())
  await writeFile(LLMS_FILE, await llmsText())
  await writeFile(CLIENT_NETWORK_FILE, clientNetworkText())
  const files = [OPENAPI_FILE, LLMS_FILE, CLIENT_NETWORK_FILE].map(file => path.relative(process.cwd(), file))
  console.log(`Written: ${files.join(', ')}`)
}
