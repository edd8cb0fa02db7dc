import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildPages } from '../../infra/deploy/build-pages.ts'
import type { EventStore } from '../../lib/query/event-store.ts'
import { createDocsHandler } from '../../lib/site/docs/create-docs-handler.ts'
import { DOCS_FILES, WRITTEN_BASE_URL } from '../../lib/site/look/page-files.ts'
import { assetReader } from '../../lib/site/look/read-asset.ts'
import type { LambdaHandler } from '../support/http/ask.ts'
import { BASE_URLS, FORMATS, type Format, httpEvent, lambdaContext } from '../support/http/http-events.ts'
import { listenWith, useListening } from '../support/http/listen.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const api = useListening(async () => {
  await buildPages()
  return listenWith({} as EventStore)
})

const get = (asked: string, init?: RequestInit) => fetch(new URL(asked, api.baseUrl), init)

test.each([
  ['/docs', /^docs\/docs\.[\w-]{10}\.js$/],
  ['/', /^docs$/],
])('the page %s may load nothing from elsewhere, and nothing it names is missing', async (asked, linked) => {
  const answer = await get(asked, { headers: { accept: 'text/html' } })
  const page = await answer.text()
  const named = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)]
    .map(([, name]) => name ?? '')
    .filter(name => !/^v1\/(user-events|token-events|changes|status)\b/.test(name))
  const policy = answer.headers.get('content-security-policy') ?? ''

  expect(page).toContain('<link rel="alternate" type="text/plain" href="llms.txt"')
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/127\.0\.0\.1)/)
  expect(named).toContainEqual(expect.stringMatching(linked))
  for (const name of named) {
    const asset = await get(`/${name}`)
    expect([name, asset.status, asset.headers.get('x-content-type-options')]).toEqual([name, 200, 'nosniff'])
    await asset.arrayBuffer()
  }
})

test('the OpenAPI document is the committed one, and names this service', async () => {
  const committed = JSON.parse(readFileSync(path.join(ROOT, 'lib/site/docs/openapi.json'), 'utf8'))
  const served = (await (await get('/v1/openapi.json')).json()) as object

  expect(served).toEqual({ ...committed, servers: [{ url: api.baseUrl, description: expect.any(String) }] })
})

test.each(['/docs', '/docs/docs.js', '/v1/openapi.json', '/llms.txt'])(
  '%s is sent compressed, and not at all to who has it',
  async asked => {
    const headers = { 'accept-encoding': 'br' }
    const answer = await get(asked, { headers })
    const ifChanged = { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' }
    const again = await get(asked, { headers: ifChanged })

    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect([again.status, await again.text()]).toEqual([304, ''])
    await answer.arrayBuffer()
  },
)

test.each([
  ...['/docs/openapi.json', '/docs/nothing', '/docs/..%2f..%2fpackage.json', '/docs/toString', '/page/'],
  ...['/page/nothing', '/page/nothing.0000000000.js', '/page/..%2fpage-files.ts', '/page/toString'],
])('there is nothing at %s', async asked => {
  expect((await get(asked)).status).toBe(404)
})

test('with a slash behind it, the page is found as well', async () => {
  const moved = await get('/docs/', { redirect: 'manual' })
  const page = await get('/docs/')

  expect([moved.status, moved.headers.get('location')]).toEqual([308, `${api.baseUrl}/docs`])
  expect([page.status, page.url]).toEqual([200, `${api.baseUrl}/docs`])
  expect((await get('/docs/', { method: 'POST' })).status).toBe(405)
})

test('the text for programs is the built one, with the addresses of this service', async () => {
  const built = readFileSync(path.join(ROOT, DOCS_FILES['llms.txt']), 'utf8')
  const answer = await get('/llms.txt')
  const head = await get('/llms.txt', { method: 'HEAD' })
  const text = await answer.text()

  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(head.headers.get('etag')).toBe(answer.headers.get('etag'))
  expect(text).toBe(built.replaceAll(WRITTEN_BASE_URL, api.baseUrl))

  const documents = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, address = '']) => address)
  expect(documents).toHaveLength(3)
  for (const address of documents) expect([address, (await fetch(address)).status]).toEqual([address, 200])
})

async function answerAt(path: string, format: Format, publicBaseUrl?: string) {
  const options = { readAsset: assetReader(ROOT, DOCS_FILES), publicBaseUrl }
  const handler = createDocsHandler(options) as unknown as LambdaHandler
  const event = httpEvent({ endpoint: 'token-events', query: [] }, { format, path })
  return (await handler(event, lambdaContext())) as { statusCode: number; body: string }
}

test('the function itself moves /docs/ to /docs', async () => {
  const headers = { Location: `${BASE_URLS.rest}/docs` }
  expect(await answerAt('/docs/', 'rest')).toMatchObject({ statusCode: 308, headers })
})

test.each<[format: Format, publicBaseUrl: string | undefined, named: string]>([
  ...FORMATS.map((format): [Format, undefined, string] => [format, undefined, BASE_URLS[format]]),
  ['rest', 'https://events.example.org/of/$&/"><b>/', 'https://events.example.org/of/$&/"><b>'],
])(
  'behind a %s with the public address %s, page, document and text name %s',
  async (format, given, named) => {
    const [page, document, text] = await Promise.all(
      ['/docs', '/v1/openapi.json', '/llms.txt'].map(
        async asked => (await answerAt(asked, format, given)).body,
      ),
    )
    const escaped = named.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

    expect(page).toContain(`<dt>Address</dt><dd><code>${escaped}</code></dd>`)
    expect(page).toContain(`curl '${escaped}/v1/token-events?`)
    expect(JSON.parse(document ?? '')).toMatchObject({ servers: [{ url: named }] })
    expect(text).toContain(`: ${named}/v1/token-events?`)
    expect(text).toContain(`(${named}/v1/openapi.json)`)
    for (const body of [page, text]) expect(body).not.toContain(WRITTEN_BASE_URL)
  },
)

test('a reader is sent a page of less than 30 KB, and one script of less than 5 KB', async () => {
  const page = await (await get('/docs')).text()
  const [, script] = /<script defer src="([^"]+)"/.exec(page) ?? []
  const bytesOf = async (asked: string) => {
    const { headers } = await get(asked, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    return Number(headers.get('content-length'))
  }

  expect(page.match(/<script /g)).toHaveLength(1)
  expect(await bytesOf('/docs')).toBeLessThan(30 * 1024)
  expect(await bytesOf(`/${script}`)).toBeLessThan(5 * 1024)
})
