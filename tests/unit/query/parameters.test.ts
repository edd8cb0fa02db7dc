import { readFileSync } from 'node:fs'
import { CLIENT_PARAMETERS_FILE, clientParametersText } from '../../../lib/site/openapi/generated-files.ts'

test('the client has the names of all parameters; npm run openapi writes them anew', () => {
  expect(clientParametersText()).toBe(readFileSync(CLIENT_PARAMETERS_FILE, 'utf8'))
})
