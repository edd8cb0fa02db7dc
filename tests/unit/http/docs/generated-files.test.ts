import { readFileSync } from 'node:fs'
import { generatedFiles } from '../../../../lib/site/openapi/generated-files.ts'

const files = await generatedFiles()

test.each(files)('the committed file %s is up to date (otherwise, run npm run openapi)', (file, text) => {
  expect(text).toBe(readFileSync(file, 'utf8'))
})
