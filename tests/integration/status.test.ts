import { createHash } from 'node:crypto'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { buildPages } from '../../infra/deploy/build-pages.ts'
import { StoreUnavailableError } from '../../lib/query/errors.ts'
import type { EventStore } from '../../lib/query/event-store.ts'
import { createStatusHandler } from '../../lib/site/status/create-status-handler.ts'
import { createCheckpointReader } from '../../lib/store/reading/read-checkpoints.ts'
import type { LambdaHandler } from '../support/http/ask.ts'
import { BASE_URLS, httpEvent, lambdaContext } from '../support/http/http-events.ts'
import { listenWith, SERVED_VERSION, useListening } from '../support/http/listen.ts'
import { checkContract } from '../support/oracle/check-contract.ts'
import { tokenEvents } from '../support/requests/api-request.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
let tableName: string
const unused = () => Promise.reject(new Error('The status reads no events'))
const storeOfNothing = { readList: unused } as Partial<EventStore> as EventStore

const api = useListening(async () => {
  await buildPages()
  tableName = await engine.createEventsTable()
  return listenWith(storeOfNothing, createCheckpointReader({ client: engine.reader, tableName }))
})

const get = (path: string, init?: RequestInit) => fetch(new URL(path, api.baseUrl), init)
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

type Status = { version: string; networks: { network: string; lagSeconds: number }[] }

/** Also expects headers that allow pages of any origin to keep the status for seconds. */
async function status(path = '/v1/status', init?: RequestInit): Promise<Status> {
  const answer = await get(path, init)
  const text = await answer.clone().text()
  const headers = Object.fromEntries(answer.headers)
  checkContract({ method: 'GET', path: '/v1/status', status: answer.status, headers, text })
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=5', 'access-control-allow-origin': '*' })
  return (await answer.json()) as Status
}

/** Stores a checkpoint as lib/store/README.md describes it. */
const putCheckpoint = (network: string, numbers: Record<string, number>) =>
  engine.client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: {
        l: { S: 'checkpoints' },
        p: { S: network },
        blockHash: { S: `0x${'1'.repeat(64)}` },
        ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, { N: String(value) }])),
      },
    }),
  )

test('nothing is indexed: there are no networks', async () => {
  expect(await status()).toEqual({ version: SERVED_VERSION, networks: [] })
})

test('tells how far each network is indexed, final and audited, and how long ago the indexed block was', async () => {
  const now = Math.floor(Date.now() / 1000)
  const indexed = { blockNumber: 34_160_634, timestamp: 1_755_080_415 }
  await putCheckpoint('polygon', { blockNumber: 75_190_000, timestamp: now - 90, finalizedBlock: 75_188_200 })
  await putCheckpoint('base', { ...indexed, auditedBlock: 90, auditedTimestamp: 1_755_080_400 })
  // An audited block above the checkpoint is not reported, and neither is a network that has only a lease.
  await putCheckpoint('arbitrum', { ...indexed, auditedBlock: 34_160_635, auditedTimestamp: 1_755_080_416 })
  await putCheckpoint('ethereum', { fence: 1 })
  const { networks } = await status()

  const lagSeconds = expect.any(Number)
  const indexedThrough = { blockNumber: 34_160_634, timestamp: '2025-08-13T10:20:15.000Z' }
  const auditedThrough = { blockNumber: 90, timestamp: '2025-08-13T10:20:00.000Z' }
  expect(networks).toEqual([
    { network: 'arbitrum', indexedThrough, lagSeconds },
    { network: 'base', indexedThrough, lagSeconds, auditedThrough },
    {
      ...{ network: 'polygon', finalizedBlock: 75_188_200, lagSeconds },
      indexedThrough: { blockNumber: 75_190_000, timestamp: new Date((now - 90) * 1000).toISOString() },
    },
  ])
  expect(networks[2]?.lagSeconds).toBeGreaterThanOrEqual(90)
})

test('the lag is that of the moment, and never below zero', async () => {
  const timestamp = 1_755_080_415
  const networks = [{ network: 'base' as const, blockNumber: 1, timestamp }]
  const lagAt = async (seconds: number) => {
    const { body } = await answerWith(eventFor('/v1/status'), {
      readIndexedThrough: async () => ({ networks, calls: 1, examined: 1, readUnits: 0.5 }),
      now: () => seconds * 1000 + 999,
    })
    return (JSON.parse(body) as Status).networks[0]?.lagSeconds
  }

  expect([await lagAt(timestamp + 12), await lagAt(timestamp - 5)]).toEqual([12, 0])
})

/** Calls a handler with these options directly instead of through the API, and returns its answer. */
function answerWith(event: object, options: Partial<Parameters<typeof createStatusHandler>[0]>) {
  const unread = { readIndexedThrough: unused, readAsset: async (name: string) => `/* ${name} */` }
  const handler = createStatusHandler({ version: '1', ...unread, ...options }) as unknown as LambdaHandler
  return handler(event, lambdaContext()) as Promise<{ body: string }>
}

const eventFor = (path: string, accept = '*/*') =>
  httpEvent(tokenEvents(), { format: 'rest', path, headers: { accept } })

test.each(['/v1/status', '/'])('%s answers HEAD and OPTIONS, and refuses other methods', async path => {
  const statuses = ['HEAD', 'OPTIONS', 'POST'].map(async method => (await get(path, { method })).status)

  expect(await Promise.all(statuses)).toEqual([200, 204, 405])
})

test('a parameter is refused: the status is of all networks', async () => {
  const answer = await get('/v1/status?network=base&network=base')

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ errors: [{ parameter: 'network' }] })
})

test('checkpoints that cannot be read are 503, with the time to wait', async () => {
  const down = await listenWith(storeOfNothing, () => Promise.reject(new StoreUnavailableError(undefined)))
  const answer = await fetch(`${down.baseUrl}/v1/status`)
  const page = await fetch(down.baseUrl, { headers: { accept: BROWSER } })
  await down.stop()

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(page.status).toBe(200)
})

describe('the root', () => {
  test.each([undefined, '*/*', 'application/json', 'text/plain', 'text/csv', 'text/html;q=0.5,*/*', ''])(
    'is the status for who accepts %s',
    async accept => {
      const body = await status('/', accept === undefined ? {} : { headers: { accept } })

      expect(body).toMatchObject({ version: SERVED_VERSION })
    },
  )

  const getPage = async (path = '/', accept = BROWSER) => {
    const answer = await get(path, { headers: { accept } })
    return { status: answer.status, headers: answer.headers, page: await answer.text() }
  }

  test.each([BROWSER, 'text/html', 'text/*', 'TEXT/HTML;charset=utf-8', 'application/json;q=0.9, text/html'])(
    'is a page for who accepts %s',
    async accept => {
      const { status, headers, page } = await getPage('/?wallet=0x1', accept)

      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page).toMatch(/^<!doctype html>/)
    },
  )

  test('says that it depends on Accept, and has a tag for each', async () => {
    const page = await get('/', { headers: { accept: BROWSER } })
    const tag = page.headers.get('etag') ?? ''
    const again = await get('/', { headers: { accept: BROWSER, 'if-none-match': tag } })
    const data = await get('/', { headers: { accept: 'application/json', 'if-none-match': tag } })

    expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect([again.status, data.status]).toEqual([304, 200])
  })

  const loadedBy = (page: string) =>
    [...page.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, name]) => `/${name}`)

  test('names what it loads by its content, to be kept for good, and loads nothing before the first paint', async () => {
    const { page } = await getPage()
    const kept = loadedBy(page).map(async name => (await get(name)).headers.get('cache-control'))

    expect(new Set(await Promise.all(kept))).toEqual(new Set(['public, max-age=31536000, immutable']))
    expect(page).not.toMatch(/<script src|rel="stylesheet"/)
  })

  test.each(['/page/explorer.js', '/page/explorer.0000000000.js'])(
    'serves the present file at %s, which is no name of its content, for minutes',
    async path => {
      const answer = await get(path)

      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
    },
  )

  test('runs the styles and the script in it by their digests alone', async () => {
    const { headers, page } = await getPage()
    const policy = headers.get('content-security-policy') ?? ''
    const digestIn = (element: string) => {
      const [, text = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page) ?? []
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }

    expect(policy).toContain(`script-src 'self' ${digestIn('script')};`)
    expect(policy).toContain(`style-src 'self' ${digestIn('style')};`)
  })

  test('names the contracts of a local chain where the service has any, and says nothing of them elsewhere', async () => {
    const pageWith = async (localContracts: string[]) =>
      (await answerWith(eventFor('/', 'text/html'), { localContracts })).body

    expect(await pageWith(['0x1', '0x2'])).toContain('<main id="explorer" data-local-contracts="0x1 0x2">')
    expect(await pageWith([])).toContain('<main id="explorer">')
  })

  test('is found behind a stage', async () => {
    expect(await answerWith(eventFor('/', 'text/html'), {})).toMatchObject({
      statusCode: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': expect.stringContaining(new URL(BASE_URLS.rest).origin),
      },
    })
  })
})
