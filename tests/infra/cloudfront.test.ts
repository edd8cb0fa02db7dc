import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { serviceAt } from '../../infra/operate/smoke/service.ts'
import { SERVICE_CHECKS } from '../../infra/operate/smoke/service-checks.ts'
import { CORS_HEADERS, preflightResponse } from '../../lib/http/cors.ts'
import type { Template } from '../support/programs/use-packaged-service.ts'

const TEMPLATE = new URL('../../infra/cloudfront/cloudfront.yml', import.meta.url)
const template: Template = parse(readFileSync(TEMPLATE, 'utf8'))

const configOf = (name: string, key: string) => ({ ...template.Resources[name]?.Properties })[key]

test('puts the CORS headers of the API on what it has kept without them', () => {
  const headers: Record<string, string> = { ...CORS_HEADERS, ...preflightResponse().headers }
  const list = (name: string) => headers[name]?.split(', ')

  expect(configOf('Cors', 'ResponseHeadersPolicyConfig')).toMatchObject({
    CorsConfig: {
      OriginOverride: false,
      AccessControlAllowOrigins: { Items: list('Access-Control-Allow-Origin') },
      AccessControlAllowMethods: { Items: list('Access-Control-Allow-Methods') },
      AccessControlExposeHeaders: { Items: ['*'] },
      AccessControlMaxAgeSec: Number(headers['Access-Control-Max-Age']),
    },
  })
})

test('npm run smoke accepts the CORS headers of the cache', async () => {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' }
  const request = async () => new Response('[]', { headers })
  const service = { ...serviceAt('https://events.example.org', { timeoutMs: 1 }), request }
  const check = SERVICE_CHECKS.find(({ name }) => name.startsWith('CORS'))

  expect(await check?.run(service)).toBe('all headers readable')
})

test('keeps an answer by all that it depends on, and no longer than it says', () => {
  expect(configOf('Cache', 'CachePolicyConfig')).toMatchObject({
    ...{ MinTTL: 0, DefaultTTL: 0 },
    ParametersInCacheKeyAndForwardedToOrigin: {
      ...{ EnableAcceptEncodingGzip: true, EnableAcceptEncodingBrotli: true },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      HeadersConfig: { Headers: ['Accept'] },
    },
  })
})

test('caches no error for longer than the error says', () => {
  const { CustomErrorResponses } = configOf('Distribution', 'DistributionConfig') as {
    CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number }[]
  }
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
  expect(CustomErrorResponses).toEqual(
    [404, 414, 500, 501, 502, 503, 504].map(ErrorCode => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
  )
})

test('limits each address, and is reached over IPv6', () => {
  expect(configOf('Acl', 'Rules')).toMatchObject([
    {
      Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: { Ref: 'RequestsPerAddress' } } },
    },
  ])
  expect(configOf('Distribution', 'DistributionConfig')).toMatchObject({
    IPV6Enabled: true,
    WebACLId: { 'Fn::GetAtt': ['Acl', 'Arn'] },
  })
})
