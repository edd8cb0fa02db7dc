/** `npm run openapi`: writes the OpenAPI document that the service serves. */
import { writeFile } from 'node:fs/promises'
import { OPENAPI_FILE, openapiText } from '../openapi/openapi-file.ts'

await writeFile(OPENAPI_FILE, await openapiText())
