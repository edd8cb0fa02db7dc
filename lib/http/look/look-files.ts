/** What all pages load, to look alike: where each file stands, from the folder that holds `lib`. */
export const LOOK_FILES = {
  'look.css': 'lib/http/look/look.css',
  'theme.js': 'lib/http/look/theme.js',
  'icon.svg': 'lib/http/look/icon.svg',
} as const
