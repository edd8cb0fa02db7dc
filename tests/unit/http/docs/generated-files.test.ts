import { readFileSync } from 'node:fs'
import * as generated from '../../../../lib/site/openapi/generated-files.ts'

test.each([
  ['the OpenAPI document', generated.OPENAPI_FILE, generated.openapiText],
  ['llms.txt', generated.LLMS_FILE, generated.llmsText],
  ['the reference', generated.REFERENCE_FILE, generated.referenceText],
  ["the client's parameters", generated.CLIENT_PARAMETERS_FILE, generated.clientParametersText],
  ["the client's networks", generated.CLIENT_NETWORK_FILE, generated.clientNetworkText],
])(
  '%s: the committed file is what the tables say today; npm run openapi writes it anew',
  async (_, file, text) => {
    expect(await text()).toBe(readFileSync(file, 'utf8'))
  },
)
