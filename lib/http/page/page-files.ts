/** What the page for people loads: where each file stands, from the folder that holds `lib`. */
export const PAGE_FILES = {
  'page.css': 'lib/http/page/assets/page.css',
} as const
