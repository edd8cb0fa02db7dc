/**
 * `npm run openapi`: writes the OpenAPI document, its HTML reference and `llms.txt`, all of which the service serves.
 * Also writes the client's networks and parameters.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createCommand } from '../../lib/kit/create-command.ts'
import {
  CLIENT_NETWORK_FILE,
  CLIENT_PARAMETERS_FILE,
  clientNetworkText,
  clientParametersText,
  LLMS_FILE,
  llmsText,
  OPENAPI_FILE,
  openapiText,
  REFERENCE_FILE,
  referenceText,
} from '../../lib/site/openapi/generated-files.ts'

await createCommand('openapi')
  .description(
    "Writes the OpenAPI document, its reference as HTML and llms.txt, which the service serves, and the client's networks and parameters.",
  )
  .action(writeDocuments)
  .parseAsync()

async function writeDocuments() {
  await writeFile(OPENAPI_FILE, await openapiText())
  await writeFile(LLMS_FILE, await llmsText())
  await writeFile(REFERENCE_FILE, await referenceText())
  await writeFile(CLIENT_NETWORK_FILE, clientNetworkText())
  await writeFile(CLIENT_PARAMETERS_FILE, clientParametersText())
  const clientFiles = [CLIENT_NETWORK_FILE, CLIENT_PARAMETERS_FILE]
  const files = [OPENAPI_FILE, LLMS_FILE, REFERENCE_FILE, ...clientFiles].map(file =>
    path.relative(process.cwd(), file),
  )
  console.log(`Written: ${files.join(', ')}`)
}
