import { useVariant } from '../support/programs/stage-variants.ts'

const packaged = useVariant('prod')

const LOOK_FILES = ['lib/site/look/icon.svg', 'lib/site/look/look.css', 'lib/site/look/theme.js']

const DOCS_FILES = [
  'functions/docs.cjs',
  'lib/site/docs/llms.txt',
  'lib/site/docs/openapi.json',
  'lib/site/docs/page/docs.css',
  'lib/site/docs/page/docs.js',
  'lib/site/docs/reference.html',
  ...LOOK_FILES,
]

const STATUS_FILES = [
  'functions/status.cjs',
  'lib/site/explorer/dist/chart.js',
  'lib/site/explorer/dist/explorer.css',
  'lib/site/explorer/dist/explorer.js',
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
