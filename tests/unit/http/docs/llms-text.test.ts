import { EVENT_KINDS } from '../../../../lib/events/event-kinds.ts'
import { NETWORKS } from '../../../../lib/events/networks.ts'
import { PROBLEMS } from '../../../../lib/http/problems.ts'
import { PARAMETERS } from '../../../../lib/query/parameters.ts'
import { buildLlmsText } from '../../../../lib/site/openapi/build-llms-text.ts'
import { readExamples } from '../../../../lib/site/openapi/example-records.ts'
import { readOpenApiDocument } from '../../../../lib/site/openapi/openapi-document.ts'

const MAX_BYTES = 10_000

const text = buildLlmsText({ document: readOpenApiDocument(), examples: await readExamples() })

test('the text is short', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES)
})

test.each(Object.entries(PARAMETERS))('the text has every parameter of %s', (resource, parameters) => {
  const [endpoints = '', changes = ''] = text.split('## GET /v1/changes')
  for (const name of Object.keys(parameters)) {
    const line = new RegExp(`^- \`${name}\`( \\(.+\\))?: .+\\.$`, 'gm')
    if (resource === 'changes') expect(changes).toContain(`\`${name}\``)
    else expect([name, endpoints.match(line)]).toEqual([name, [expect.any(String)]])
  }
})

test.each([
  ['network', NETWORKS],
  ['event', EVENT_KINDS],
  ['createdAt', ['asc', 'desc']],
])('the text has every value of %s', (name, values) => {
  expect(text).toContain(`- \`${name}\` (${values.map(value => `\`${value}\``).join(', ')})`)
})

test('the text has every kind of event with its fields', () => {
  const [, records = ''] = text.split('## Records')

  for (const kind of EVENT_KINDS) expect(records).toMatch(new RegExp(`^- .*\`${kind}\`.*: \`\\w+\``, 'm'))
  expect(records).toMatch(/^- .*`OwnershipTransferred`.*: `previousOwner`, `newOwner`\./m)
})

test('the text has every status that an error may have, with a remedy', () => {
  for (const status of [429, ...Object.values(PROBLEMS).map(each => each.status)]) {
    expect(text).toMatch(new RegExp(`^- \`${status}\` [A-Z][\\w ]+\\. [A-Z].+\\.$`, 'm'))
  }
})
