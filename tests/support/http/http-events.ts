import type { APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { type ApiRequest, pathOf, rawQueryOf } from '../requests/api-request.ts'

/** HTTP API (payload 2.0), REST API (payload 1.0), and function URL (payload 2.0 without route or path parameters). */
export const FORMATS = ['http-api', 'rest', 'function-url'] as const
export type Format = (typeof FORMATS)[number]

/** The path of a REST API begins with its stage. */
export const BASE_URLS: Record<Format, string> = {
  'http-api': 'https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
  rest: 'https://f6g7h8i9j0.execute-api.eu-west-1.amazonaws.com/prod',
  'function-url': 'https://abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-west-1.on.aws',
}

export interface HttpOptions {
  format: Format
  method?: string
  path?: string
  rawQuery?: string
  headers?: Record<string, string>
}

/** The fields that a request's context has in both payloads. */
const contextAt = (host: string) => ({
  ...{ accountId: '123456789012', requestId: 'JKJaXmPLvHcESHA=' },
  ...{ apiId: host.split('.')[0] ?? '', domainName: host, domainPrefix: host.split('.')[0] ?? '' },
})
const HEADERS = { accept: 'application/json', 'user-agent': 'curl/8.5.0', 'x-forwarded-proto': 'https' }

export function httpEvent(request: ApiRequest, options: HttpOptions) {
  return options.format === 'rest' ? restEvent(request, options) : payload2Event(request, options)
}

function payload2Event(request: ApiRequest, options: HttpOptions): APIGatewayProxyEventV2 {
  const { format, method = 'GET', path = pathOf(request), rawQuery = rawQueryOf(request.query) } = options
  const isRouted = format === 'http-api'
  const { host } = new URL(BASE_URLS[format])
  const route = isRouted ? `GET /v1/${request.endpoint}${request.address ? '/{address}' : ''}` : '$default'
  return {
    version: '2.0',
    routeKey: route,
    rawPath: path,
    rawQueryString: rawQuery,
    headers: { ...HEADERS, host, ...options.headers },
    ...(rawQuery !== '' && { queryStringParameters: mapValues(grouped(rawQuery), all => all.join(',')) }),
    ...(isRouted && request.address && { pathParameters: { address: request.address } }),
    requestContext: {
      ...contextAt(host),
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: HEADERS['user-agent'] },
      routeKey: route,
      stage: '$default',
      time: '13/Aug/2025:10:20:15 +0000',
      timeEpoch: 1755080415000,
    },
    isBase64Encoded: false,
  }
}

function restEvent(request: ApiRequest, options: HttpOptions): APIGatewayProxyEvent {
  const { format, method = 'GET', path = pathOf(request), rawQuery = rawQueryOf(request.query) } = options
  const { host, pathname } = new URL(BASE_URLS[format])
  const headers: Record<string, string> = { ...HEADERS, Host: host, ...options.headers }
  const resource = `/v1/${request.endpoint}${request.address ? '/{address}' : ''}`
  const query = rawQuery === '' ? null : grouped(rawQuery)
  return {
    resource,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: mapValues(headers, value => [value]),
    queryStringParameters: query && mapValues(query, all => all.at(-1) ?? ''),
    multiValueQueryStringParameters: query,
    pathParameters: request.address === undefined ? null : { address: request.address },
    stageVariables: null,
    requestContext: {
      ...contextAt(host),
      authorizer: undefined,
      httpMethod: method,
      identity: { sourceIp: '192.0.2.1', userAgent: HEADERS['user-agent'] } as Identity,
      path: `${pathname}${path}`,
      protocol: 'HTTP/1.1',
      requestTimeEpoch: 1755080415000,
      resourceId: 'abc123',
      resourcePath: resource,
      stage: 'prod',
    },
    body: null,
    isBase64Encoded: false,
  }
}

type Identity = APIGatewayProxyEvent['requestContext']['identity']

function grouped(rawQuery: string): Record<string, string[]> {
  const pairs = [...new URLSearchParams(rawQuery)]
  const valuesOf = (name: string) => pairs.filter(pair => pair[0] === name).map(pair => pair[1])
  return Object.fromEntries(pairs.map(([name]) => [name, valuesOf(name)]))
}

const mapValues = <V, W>(values: Record<string, V>, map: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))

export const LAMBDA_REQUEST_ID = '8b0c1e6e-3a57-4c0f-9a53-2f3f6c1d9b11'

/** The longest timeout that AWS Lambda allows, which is longer than any test takes on any machine. */
export const LONG_INVOCATION_MS = 900_000

/** The properties of a context that the functions use. */
export const lambdaContext = (overrides: Partial<Context> = {}) =>
  ({
    awsRequestId: LAMBDA_REQUEST_ID,
    getRemainingTimeInMillis: () => LONG_INVOCATION_MS,
    ...overrides,
  }) as Context
