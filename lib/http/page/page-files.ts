import { LOOK_FILES } from '../look/look-files.ts'

/** What the page for people loads: where each file stands, from the folder that holds `lib`. */
export const PAGE_FILES = {
  ...LOOK_FILES,
  // Bundled with the function: infra/deploy/bundle-explorer.ts.
  'explorer.js': 'lib/explorer/dist/explorer.js',
  'explorer.css': 'lib/explorer/dist/explorer.css',
} as const
