import { readFileSync } from 'node:fs'
import { DOCS_FILES } from '../../../../lib/site/look/page-files.ts'
import { readExamples } from '../../../../lib/site/openapi/example-records.ts'
import { readOpenApiDocument } from '../../../../lib/site/openapi/openapi-document.ts'
import { buildReference } from '../../../../lib/site/openapi/reference/build-reference.ts'

/** Independent of the generator's types, so that the tests look for everything in the document. */
type Json = Record<string, unknown>

const text = buildReference({ document: readOpenApiDocument(), examples: await readExamples() })
const document = JSON.parse(readFileSync(DOCS_FILES['openapi.json'], 'utf8'))
const operations = Object.entries(document.paths as Record<string, { get: Json }>).map(
  ([path, { get }]) => [get.operationId as string, path, get] as const,
)

/** The page expresses the values of these keys in other words or by position. */
const UNSAID = new Set(['type', 'in', 'operationId', 'propertyName'])
/** The values of these properties are objects whose own properties the page must describe, too. */
const NAMED = new Set(['headers', 'properties', 'responses', 'content', 'mapping'])
/** The page shows the values of these keys unchanged and whole. */
const SAMPLES = new Set(['example', 'value'])

test.each(operations)(
  'the page describes %s with everything that the document says about its answers',
  (id, path, operation) => {
    const section = partOf(id)
    // Another test compares the parameters.
    const { parameters: _, ...rest } = operation
    const errors = [...section.matchAll(/<li><p><code class="status".*?href="#([\w-]+)"/g)]
    const shown = [section, ...errors.map(([, kind = '']) => partOf(kind))].join('')

    expect(wordsOf(section)).toContain(squashed(path))
    expect(missing(resolved(rest), shown)).toEqual([])
  },
)

test('the page has cause and remedy of a 429, which only the gateway answers', () => {
  expect(partOf('too-many-requests')).toMatch(/>429<.*<dt>Cause<.dt><dd>[^<]+<.dd><dt>Remedy<.dt><dd>[^<]+</s)
})

test.each(operations)(
  'the page has all facts about each parameter of %s, and a field to try it',
  (id, _, { parameters }) => {
    for (const parameter of (parameters ?? []) as Json[]) {
      const [entry = ''] =
        new RegExp(`<li class="parameter" id="${id}-${parameter.name}">.*?</li>`, 's').exec(text) ?? []
      const { description, ...facts } = parameter

      expect(missing(facts, entry)).toEqual([])
      expect(wordsOf(entry)).toContain(wordsOf(String(description).replace(/ Example: .*/, '')))
      expect(entry).toMatch(new RegExp(`<(input|select)[^>]* name="${parameter.name}"`))
    }
  },
)

test.each(Object.keys(document.components.headers))('the page describes the header %s', name => {
  expect(missing(document.components.headers[name], partOf(`header-${name}`))).toEqual([])
})

test.each(Object.keys(document.components.schemas))('the page describes the schema %s', name => {
  expect(missing(document.components.schemas[name], partOf(`schema-${name}`))).toEqual([])
})

test('the page describes the service and its parts', () => {
  const { info, tags } = document

  expect(missing({ info, tags }, text)).toEqual([])
})

test('every link within the page leads to exactly one element', () => {
  const links = new Set([...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id))
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

  expect(ids.length).toBe(new Set(ids).size)
  expect([...links].filter(id => !ids.includes(id))).toEqual([])
  expect(links.size).toBeGreaterThan(80)
})

/** A regular expression suffices, because sections contain no sections, and articles contain no articles. */
function partOf(id: string): string {
  const [part] = new RegExp(`<(section|article) [^>]*id="${id}".*?</\\1>`, 's').exec(text) ?? []
  if (part === undefined) throw new Error(`The page has no part ${id}`)
  return part
}

function missing(value: unknown, shown: string): string[] {
  const words = wordsOf(shown)
  return factsOf(value).filter(fact =>
    fact.startsWith('#/')
      ? !shown.includes(
          `href="${fact.replace('#/components/', '#').replace(/^#(schema|header)s\//, '#$1-')}"`,
        )
      : !words.includes(wordsOf(fact)),
  )
}

function factsOf(value: unknown, key = ''): string[] {
  if (SAMPLES.has(key)) return [typeof value === 'string' ? value : JSON.stringify(value, null, 2)]
  if (key === 'examples' && Array.isArray(value)) return value.flat().flatMap(each => factsOf(each, 'value'))
  if (Array.isArray(value)) return value.flatMap(each => factsOf(each, key))
  if (typeof value === 'object' && value !== null) {
    const keys = NAMED.has(key) ? Object.keys(value) : []
    return [
      ...keys,
      ...Object.entries(value).flatMap(([name, each]) => factsOf(each, NAMED.has(key) ? '' : name)),
    ]
  }
  if (UNSAID.has(key) || typeof value === 'boolean' || (key === 'required' && typeof value === 'string'))
    return []
  // The page contains each sentence of a description unchanged, but the sentences may be apart.
  return key === 'description' ? String(value).split(/\.(?: |\n\n|$)/) : [String(value)]
}

function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved)
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: string }
  const [, name] = /^#\/components\/responses\/(\w+)$/.exec($ref ?? '') ?? []
  if (name) return document.components.responses[name]
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]))
}

/** The visible text, without spaces. */
function wordsOf(shown: string): string {
  const isHtml = /<\w+[ >]/.test(shown) && shown.includes('</')
  const plain = isHtml ? shown.replaceAll(/<[^>]*>/g, '') : shown
  return squashed(isHtml ? decoded(plain) : plain).replaceAll(/`|\*\*/g, '')
}

const squashed = (words: string) => words.replaceAll(/\s/g, '')

const decoded = (plain: string) =>
  plain
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
