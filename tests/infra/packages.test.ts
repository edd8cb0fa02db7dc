import { useVariant } from '../support/programs/stage-variants.ts'

const packaged = useVariant('prod')

const LOOK_FILES = ['lib/http/look/icon.svg', 'lib/http/look/look.css', 'lib/http/look/theme.js']

const DOCS_FILES = [
  'functions/docs.cjs',
  'lib/http/docs/llms.txt',
  'lib/http/docs/openapi.json',
  'lib/http/docs/page/docs.css',
  'lib/http/docs/page/docs.js',
  'lib/http/docs/reference.html',
  ...LOOK_FILES,
]

const STATUS_FILES = [
  'functions/status.cjs',
  'lib/explorer/dist/chart.js',
  'lib/explorer/dist/explorer.css',
  'lib/explorer/dist/explorer.js',
  ...LOOK_FILES,
  'node_modules/p-map/license',
  'node_modules/preact/LICENSE',
  'node_modules/uplot/LICENSE',
]

test.each([
  ['userEvents', ['functions/user-events.cjs']],
  ['tokenEvents', ['functions/token-events.cjs']],
  ['changes', ['functions/changes.cjs']],
  ['docs', DOCS_FILES],
  ['status', STATUS_FILES],
  ['fallback', ['functions/fallback.cjs']],
  ['checkVersion', ['functions/check-version.cjs']],
  ['indexChain', ['functions/index-chain.cjs']],
  ['auditChain', ['functions/audit-chain.cjs']],
  ['publish', ['functions/publish.cjs']],
])('the zip of %s holds what the function uses and nothing else, no source map either', (name, files) => {
  const found = packaged.packages.find(each => each.name === name)

  expect(found?.files.map(file => file.name).sort()).toEqual(files)
})

test('a zip stays below 250 KB', () => {
  for (const { name, bytes } of packaged.packages) {
    expect([name, bytes < 250 * 1024]).toEqual([name, true])
  }
})
