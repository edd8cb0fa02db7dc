import type { ApiProblem } from '../../../lib/client/client-errors.ts'
import { API_PATHS } from '../../../lib/http/route.ts'
import { counted } from '../../../lib/kit/printable.ts'
import { serviceStatusSchema } from '../../../lib/site/status/service-status.ts'
import type { Check } from './service.ts'
import { expectSame, type Service } from './service.ts'

/** The paths of the service. */
const PATHS = Object.values(API_PATHS)

/** Checks of rejected requests, and of HTTP's requirements for every answer. */
export const MANNER_CHECKS: Check[] = [
  refusal('/v1/token-events?limit=0', { status: 400, names: ['limit'] }),
  refusal('/v1/token-events?adress=0x1&skip=-1', { status: 400, names: ['adress', 'skip'] }),
  refusal('/v1/token-events?cursor=x', { status: 400, names: ['cursor'] }),
  refusal('/v1/changes?from=then&cursor=x', { status: 400, names: ['from', 'cursor'] }),
  refusal('/v1/user-events/0x1', { status: 400, names: ['address'] }),
  refusal('/v1/no-such-path', { status: 404 }),
  refusal('/v1/token-events', { status: 405, method: 'DELETE' }),
  refusal('/v1/token-events', { status: 406, accept: 'text/html' }),
  { name: 'pages in lines and in CSV', run: askFormats },
  {
    name: 'pages of other origins',
    async run({ request }) {
      const { headers } = await request('/v1/token-events?limit=1')
      expectSame('Access-Control-Allow-Origin', headers.get('access-control-allow-origin'), '*')
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, */)
      const missing = ['etag', 'link', 'retry-after', 'x-partial'].filter(name => !exposed.includes(name))
      if (missing.length > 0)
        throw new Error(`${missing.join(', ')} cannot be read by pages of other origins`)
      return `${counted(exposed.length, 'header')} readable`
    },
  },
  {
    name: 'answers that the caller has already',
    async run({ request }) {
      const path = '/v1/token-events?createdAt=asc&limit=1'
      const etag = (await request(path)).headers.get('etag')
      if (!etag) throw new Error('there is no ETag')
      const again = await request(path, { headers: { 'if-none-match': etag } })
      expectSame('The status', again.status, 304)
      return '304'
    },
  },
  {
    name: 'the OpenAPI document',
    async run({ request }) {
      const response = await request('/v1/openapi.json')
      expectSame('The status', response.status, 200)
      const { openapi, paths } = (await response.json()) as { openapi: string; paths: object }
      const missing = PATHS.filter(path => !(path in paths))
      if (missing.length > 0) throw new Error(`it does not describe ${missing.join(', ')}`)
      return `OpenAPI ${openapi}`
    },
  },
  {
    name: 'the text for programs',
    async run({ request }) {
      const response = await request('/llms.txt')
      expectSame('The status', response.status, 200)
      const text = await response.text()
      const missing = PATHS.filter(path => !text.includes(path))
      if (missing.length > 0) throw new Error(`it does not name ${missing.join(', ')}`)
      return `${text.length} characters`
    },
  },
  {
    name: 'the status',
    async run({ request }) {
      const response = await request('/v1/status')
      expectSame('The status', response.status, 200)
      const { version, networks } = serviceStatusSchema.parse(await response.json())
      const lags = networks.map(({ network, lagSeconds }) => `${network} ${lagSeconds} s behind`)
      return [`version ${version}`, ...lags].join(', ')
    },
  },
  {
    name: 'a page at /',
    async run({ request }) {
      const page = await request('/', { headers: { accept: 'text/html' } })
      expectSame('The type for browsers', page.headers.get('content-type'), 'text/html; charset=utf-8')
      await page.body?.cancel()
      const data = await request('/')
      expectSame('The type for programs', data.headers.get('content-type'), 'application/json')
      await data.body?.cancel()
      return 'HTML, and the status for programs'
    },
  },
]

interface Refusal {
  status: number
  /** The parameters that the answer must name. */
  names?: string[]
  method?: string
  accept?: string
}

function refusal(path: string, { status, names, method = 'GET', accept }: Refusal): Check {
  return {
    name: `${method} ${path}${accept ? ` as ${accept}` : ''}`,
    async run({ request }) {
      const response = await request(path, { method, ...(accept && { headers: { accept } }) })
      expectSame('The status', response.status, status)
      expectSame('The type', response.headers.get('content-type'), 'application/json')
      const problem = (await response.json()) as ApiProblem
      expectSame('The status in the body', problem.status, status)
      if (!problem.title || !problem.detail || !problem.instance) throw new Error('the body explains nothing')
      if (names) expectSame('What is named', [...new Set(problem.errors?.map(each => each.parameter))], names)
      if (status === 405 && !response.headers.get('allow')) throw new Error('there is no Allow')
      return String(status)
    },
  }
}

/** Requests the same two records in every format. */
async function askFormats({ request }: Service): Promise<string> {
  const textOf = async (accept: string) => {
    const response = await request('/v1/token-events?createdAt=asc&limit=2', { headers: { accept } })
    expectSame(`The type of ${accept}`, response.headers.get('content-type')?.split(';')[0], accept)
    return response.text()
  }
  const records = JSON.parse(await textOf('application/json')) as { id: string }[]
  const lines = (await textOf('application/x-ndjson')).split('\n').filter(line => line !== '')
  const [header = '', ...rows] = (await textOf('text/csv')).split('\r\n')
  expectSame(
    'What the lines say',
    lines.map(line => JSON.parse(line)),
    records,
  )
  const lacking = records.filter(({ id }) => !rows.some(row => row.includes(`,${id},`)))
  if (!header.startsWith('event,id,') || lacking.length > 0)
    throw new Error('the CSV lacks header or records')
  return `${counted(records.length, 'record')} in three formats`
}
