/** The files that give all pages the same look. All paths here are relative to the folder that contains `lib`. */
export const LOOK_FILES = {
  'look.css': 'lib/site/look/look.css',
  'theme.js': 'lib/site/look/theme.js',
  'icon.svg': 'lib/site/look/icon.svg',
} as const

/** The files of the explorer, which is the page at `/`. */
export const PAGE_FILES = {
  ...LOOK_FILES,
  // `infra/deploy/build-pages.ts` builds these files together with the function.
  'explorer.js': 'lib/site/explorer/dist/explorer.js',
  'chart.js': 'lib/site/explorer/dist/chart.js',
  'explorer.css': 'lib/site/explorer/dist/explorer.css',
} as const

export const DOCS_PAGE_FILES = {
  ...LOOK_FILES,
  'docs.js': 'lib/site/docs/page/docs.js',
  'docs.css': 'lib/site/docs/page/docs.css',
} as const

export const DOCS_FILES = {
  ...DOCS_PAGE_FILES,
  // `infra/deploy/build-pages.ts` builds this file and `llms.txt`.
  'reference.html': 'lib/site/docs/dist/reference.html',
  'openapi.json': 'lib/site/docs/openapi.json',
  'llms.txt': 'lib/site/docs/dist/llms.txt',
} as const

/**
 * The local stack's URL, which the built reference and `llms.txt` contain. The function that serves these files
 * replaces this URL with the service's own base URL.
 */
export const WRITTEN_BASE_URL = 'http://127.0.0.1:3000'
