import type { ParameterProblem } from '../query/errors.ts'
import { createFieldReader, type FieldReader, type Fields, isObject } from './field-reader.ts'

/** What the functions need of a request, whichever way it came in. */
export interface HttpRequest {
  method: string
  /** Empty where the event names none. */
  host: string
  /** As the gateway reports it; behind a stage or a path mapping that comes first. */
  path: string
  /** The stage, which may stand before the path; undefined where the event does not tell what else may stand there. */
  stage: string | undefined
  /** The `address` of the route, decoded, where the gateway has matched one. */
  address: string | undefined
  /** The query parameters in the order given, decoded, repetitions kept. */
  parameters: [name: string, value: string][]
  /** Names in lower case. */
  headers: Partial<Record<string, string>>
}

/** An event that stands for an HTTP request, whatever its fields hold. */
export type HttpEvent = Fields & { requestContext: Fields }

/** Whether a function was called for an HTTP request, and not directly. */
export function isHttpEvent(event: unknown): event is HttpEvent {
  if (!isObject(event) || !isObject(event.requestContext)) return false
  return 'httpMethod' in event || 'rawPath' in event || 'http' in event.requestContext
}

const isVersion1 = (event: HttpEvent) => 'httpMethod' in event && !('rawPath' in event)

/**
 * Reads payload format 2.0 (HTTP APIs, function URLs) and 1.0 (REST APIs), as far as it can be read: `problems`
 * names what no gateway sends, for a field that is passed over could be a filter.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function readHttpRequest(event: HttpEvent): { http: HttpRequest; problems: ParameterProblem[] } {
  const reader = createFieldReader()
  const { requestContext, pathParameters } = event
  const headers = readHeaders(event, reader)
  const http = {
    ...(isVersion1(event) ? readVersion1(event, reader) : readVersion2(event, reader)),
    host: reader.host('requestContext.domainName', requestContext.domainName ?? headers.host ?? ''),
    address: new Map(reader.texts('pathParameters', pathParameters)).get('address'),
    headers,
  }
  return { http, problems: reader.problems }
}

/** By names in lower case. `headers` of 1.0 keeps the last of repetitions, which are one list (RFC 9110, 5.3). */
function readHeaders(event: HttpEvent, reader: FieldReader): Partial<Record<string, string>> {
  const listed = isVersion1(event) ? reader.lists('multiValueHeaders', event.multiValueHeaders) : []
  const joined = [...Map.groupBy(listed, ([name]) => name)].map(
    ([name, values]) => [name, values.map(([, value]) => value).join(', ')] as const,
  )
  const all = [...reader.texts('headers', event.headers), ...joined]
  return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]))
}

/** `queryStringParameters` of 2.0 joins repetitions with commas, so it is read only where the raw text is missing. */
function readVersion2(event: HttpEvent, reader: FieldReader) {
  const { requestContext, rawPath, rawQueryString, queryStringParameters } = event
  const { http } = requestContext
  const rawQuery = reader.text('rawQueryString', rawQueryString ?? '')
  return {
    method: reader.text('requestContext.http.method', isObject(http) ? http.method : undefined),
    path: reader.text('rawPath', rawPath),
    // Of a path mapping `rawPath` says nothing.
    stage: typeof requestContext.stage === 'string' ? requestContext.stage : undefined,
    parameters:
      rawQuery === ''
        ? reader.texts('queryStringParameters', queryStringParameters)
        : [...new URLSearchParams(rawQuery)],
  }
}

/** `queryStringParameters` of 1.0 keeps the last of repetitions, so it is read only for names that the lists lack. */
function readVersion1(event: HttpEvent, reader: FieldReader) {
  const { requestContext, httpMethod, path, queryStringParameters, multiValueQueryStringParameters } = event
  if ('elb' in requestContext) reader.refuse('requestContext.elb', LOAD_BALANCER)
  const listed = reader.lists('multiValueQueryStringParameters', multiValueQueryStringParameters)
  const names = new Set(listed.map(([name]) => name))
  const single = reader.texts('queryStringParameters', queryStringParameters)
  return {
    method: reader.text('httpMethod', httpMethod),
    path: reader.text('path', requestContext.path ?? path),
    stage: undefined,
    parameters: [...listed, ...single.filter(([name]) => !names.has(name))],
  }
}

const LOAD_BALANCER =
  'is of a load balancer, which drops all but the last of repeated parameters; call through API Gateway or a function URL'
