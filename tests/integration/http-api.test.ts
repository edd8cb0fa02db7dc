import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { httpApi } from '../../infra/local/gateway/http-api.ts'
import type { ApiRoute } from '../../infra/local/gateway/match-route.ts'
import { listen, useListening } from '../support/http/listen.ts'

const ISSUER = 'https://issuer.example.org'
const token = { issuerUrl: ISSUER, audience: ['explorer', 'wallet'] }
const routes: ApiRoute[] = [
  { key: 'GET /things/{id}', functionKey: 'named' },
  { key: 'GET /things/all', functionKey: 'exact' },
  { key: 'ANY /things/{id}', functionKey: 'any' },
  { key: 'GET /closed', functionKey: 'closed', token },
  { key: 'GET /failing', functionKey: 'failing' },
  { key: 'GET /binary', functionKey: 'binary' },
  { key: '$default', functionKey: 'default' },
]
const DOCUMENTED_LIMIT = 10 * 1024 * 1024
const api = useListening(() => listen(httpApi({ routes, invoke: answer })))

async function answer(functionKey: string, event: object) {
  if (functionKey === 'failing') throw new Error('a secret of the function')
  if (functionKey === 'binary') {
    return { statusCode: 203, headers: { 'X-Own': 'yes' }, body: '/wA=', isBase64Encoded: true }
  }
  return { statusCode: 200, headers: {}, body: JSON.stringify({ functionKey, event }) }
}

async function asked(target: string, init?: RequestInit) {
  const response = await fetch(api.baseUrl + target, init)
  return (await response.json()) as { functionKey: string; event: Record<string, never> }
}

/** Unlike `fetch`, this function can send invalid paths and repeated headers. */
async function send(path: string, headers: [name: string, value: string][] = []) {
  const request = httpRequest(api.baseUrl, { path, headers: [['host', 'localhost'], ...headers].flat() })
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: (await json(response)) as { event: { headers: object } } }
}

test('a request target may be an absolute URL', async () => {
  const { body } = await send('HTTP://example.org/things/7?a=b')

  expect(body.event).toMatchObject({ rawPath: '/things/7', rawQueryString: 'a=b' })
})

test.each([
  ['GET', '/things/all', 'exact', undefined],
  ['GET', '/things/7', 'named', { id: '7' }],
  ['GET', '/things/a%2Fb%20c', 'named', { id: 'a/b c' }],
  ['PUT', '/things/7', 'any', { id: '7' }],
  ['PUT', '/things/all', 'any', { id: 'all' }],
  ['GET', '/things', 'default', undefined],
  ['GET', '/things/', 'default', undefined],
  ['GET', '/things/7/', 'default', undefined],
  ['GET', '/things/7/8', 'default', undefined],
  ['GET', '/else/things/all', 'default', undefined],
  ['PUT', '/closed', 'default', undefined],
])('%s %s is for the function %s', async (method, target, functionKey, pathParameters) => {
  const { event, ...found } = await asked(target, { method })

  expect(found).toEqual({ functionKey })
  expect(event.pathParameters).toEqual(pathParameters)
})

test('a function is told the path decoded, the query as it stands, and each header once', async () => {
  const cookies: [string, string] = ['cookie', 'c=1; d=2']
  const { body } = await send('/p%C3%A4th?a=1,2&a=%20&b', [['x-one', 'a'], ['X-One', 'b'], cookies])

  expect(body.event).toMatchObject({
    version: '2.0',
    routeKey: '$default',
    rawPath: '/päth',
    rawQueryString: 'a=1,2&a=%20&b',
    cookies: ['c=1', 'd=2'],
    headers: { 'x-one': 'a,b' },
    requestContext: { http: { method: 'GET', path: '/päth' }, domainName: 'localhost' },
    isBase64Encoded: false,
  })
  expect(body.event.headers).not.toHaveProperty('cookie')
})

test('a function is given the body', async () => {
  const { event } = await asked('/things/7', { method: 'PUT', body: 'text' })

  expect(event).toMatchObject({ body: Buffer.from('text').toString('base64'), isBase64Encoded: true })
})

test('what a function answers is sent as it stands, with its length', async () => {
  const response = await fetch(`${api.baseUrl}/binary`)

  expect(response.status).toBe(203)
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-own': 'yes', 'content-length': '2' })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([255, 0]))
})

test.each([
  ['a function that fails', '/failing', 500, 'Internal Server Error'],
  ['a path that is no percent-encoding', '/things/%ff', 400, 'Bad Request'],
  ['a path that ends in a percent sign', '/100%', 400, 'Bad Request'],
  ['a route for whom no token was sent', '/closed', 401, 'Unauthorized'],
])('%s is answered in the gateway’s own words', async (_, path, status, message) => {
  expect(await send(path)).toEqual({ status, body: { message } })
})

test('a body that is longer than API Gateway takes is refused', async () => {
  const ask = (bytes: number) =>
    fetch(`${api.baseUrl}/things/7`, { method: 'POST', body: Buffer.alloc(bytes) })

  expect((await ask(DOCUMENTED_LIMIT)).status).toBe(200)
  expect((await ask(DOCUMENTED_LIMIT + 1)).status).toBe(413)
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: unknown) => `${part({ alg: 'RS256' })}.${part(claims)}.signature`
const later = () => Math.floor(Date.now() / 1000) + 60

test.each([
  ['one audience', { aud: 'wallet' }],
  ['several audiences', { aud: ['other', 'explorer'] }],
  ['a client id instead of an audience', { client_id: 'wallet' }],
])('a token is let in with %s, and the function is told its claims', async (_, of) => {
  const claims = { iss: ISSUER, exp: later(), ...of }
  const { event } = await asked('/closed', { headers: { authorization: `Bearer ${tokenOf(claims)}` } })

  expect(event).toMatchObject({ requestContext: { authorizer: { jwt: { claims } } } })
})

const good = { iss: ISSUER, aud: 'wallet', exp: later() }

test.each([
  ['no JSON', `a.${Buffer.from('{').toString('base64url')}.c`],
  ['no object', tokenOf(null)],
  ['another audience and an id', tokenOf({ ...good, aud: 'x', client_id: 'wallet' })],
  ['no audience', tokenOf({ ...good, aud: undefined })],
  ['no end', tokenOf({ ...good, exp: undefined })],
  ['an end that has passed', tokenOf({ ...good, exp: later() - 120 })],
])('a token is refused with %s', async (_, token) => {
  const authorization = `Bearer ${token}`

  expect((await fetch(`${api.baseUrl}/closed`, { headers: { authorization } })).status).toBe(401)
})
