import path from 'node:path'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import { fetchPatiently } from '../../support/http/fetch-patiently.ts'
import { listen } from '../../support/http/listen.ts'
import { type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { engineName } from '../../support/store/engine-name.ts'

const ISSUER = 'https://issuer.example.org'
const { folder, runReady, eventFile } = useLocalStacks()
const writeText = useTextFiles()
const events = eventFile(0, 30)
let stack: PlacedStack

beforeAll(async () => {
  const access = `access: jwt\njwtIssuer: ${ISSUER}\njwtAudience: [explorer]\n`
  const settings = await writeText('local.yml', access)
  const place = ['--engine', engineName(), '--data-dir', path.join(folder, 'closed')]
  const variables = { EVENTS_SETTINGS_FOLDER: path.dirname(settings) }
  stack = await runReady([...place, '--events', events.name], variables)
})

/** The local gateway does not check the signature. */
function tokenWith(claims: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const inAnHour = Math.floor(Date.now() / 1000) + 3600
  const payload = { iss: ISSUER, aud: 'explorer', exp: inAnHour, ...claims }
  return [part({ alg: 'RS256' }), part(payload), 'signature'].join('.')
}

const ask = (route: string, token?: string) =>
  fetchPatiently(`${stack.url}${route}`, {
    headers: { origin: 'https://page.example', ...(token && { authorization: `Bearer ${token}` }) },
  })

const CLOSED = ['/v1/token-events?limit=1', `/v1/user-events/0x${'0'.repeat(40)}?limit=1`]

test('both endpoints need a token of the issuer for the audience of the settings, but pages do not', async () => {
  const claims = [{}, { iss: 'https://other.example' }, { aud: 'wallet' }]
  const tokens = [...claims.map(tokenWith), undefined]
  for (const route of CLOSED) {
    const answers = await Promise.all(tokens.map(token => ask(route, token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401])
  }
  expect((await ask('/docs')).status).toBe(200)
  expect(stack.printed.all).toContain('The API is not public: requests need a token')
})

test('the typed client sends what it is given, and asks for it before each request', async () => {
  let asked = 0
  const client = createEventsClient(stack.url, {
    authorize: async ({ method, url }) => {
      asked += 1
      expect([method, url.startsWith(`${stack.url}/v1/token-events`)]).toEqual(['GET', true])
      return { authorization: `Bearer ${tokenWith()}` }
    },
  })
  const ids: string[] = []
  for await (const { id } of client.eachTokenEvent({ createdAt: 'asc', limit: 10 })) ids.push(id)

  expect(ids).toHaveLength(events.ids.length)
  expect(asked).toBeGreaterThan(1)
  await expect(createEventsClient(stack.url).tokenEvents()).rejects.toMatchObject({ status: 401 })
})

test('npm run smoke checks a closed API with a token, and says what it lacks without', async () => {
  const { code, output } = await runCommand('smoke', ['--token', tokenWith(), stack.url])
  const without = await runCommand('smoke', [stack.url])

  expect(output).toMatch(/\d+ checks passed/)
  expect(code).toBe(0)
  expect(without.errors).toContain(
    'refuses requests from this caller (401): if this service is not public, use --token or --sign',
  )
  expect(without.code).toBe(1)
})

test('npm run smoke signs requests as API Gateway asks for', async () => {
  const headers: (string | undefined)[][] = []
  const gateway = await listen((request, response) => {
    headers.push([request.headers.authorization, request.headers['x-amz-security-token'] as string])
    response.writeHead(403).end('{"message":"Forbidden"}')
  })
  const { errors } = await runCommand('smoke', ['--sign', gateway.baseUrl], {
    env: {
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session',
      AWS_DEFAULT_REGION: 'eu-west-1',
    },
  })
  await gateway.stop()

  const signature =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=host;/
  expect(headers).toEqual([[expect.stringMatching(signature), 'session']])
  expect(errors).toContain('refuses requests from this caller (403): check that the token has not expired')
})
