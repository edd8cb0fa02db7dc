import { LOOK_FILES } from '../look/look-files.ts'

/** What the documentation page loads: where each file stands, from the folder that holds `lib` and `node_modules`. */
export const DOCS_PAGE_FILES = {
  ...LOOK_FILES,
  'docs.js': 'lib/http/docs/page/docs.js',
  'docs.css': 'lib/http/docs/page/docs.css',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
} as const

/** The same, and the documents that have paths of their own. */
export const DOCS_FILES = {
  ...DOCS_PAGE_FILES,
  'openapi.json': 'lib/http/docs/openapi.json',
  'llms.txt': 'lib/http/docs/llms.txt',
} as const

/** The address in the documents' files, that of the local stack. Whoever serves them puts the service's own in its place. */
export const WRITTEN_BASE_URL = 'http://127.0.0.1:3000'
