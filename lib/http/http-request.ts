import type { ParameterProblem } from '../query/errors.ts'
import { createFieldReader, type FieldReader, type Fields, isObject } from './field-reader.ts'

/** A request, independent of the gateway's payload format. */
export interface HttpRequest {
  method: string
  /** An empty string if the event has no host. */
  host: string
  /** The path as the gateway reports it, which can begin with a stage or a path mapping. */
  path: string
  /**
   * The stage with which `path` can begin. Undefined if `path` can begin with a path mapping instead, which the event
   * does not name.
   */
  stage: string | undefined
  /** The decoded path parameter `address`. Undefined if the gateway matched no route with this parameter. */
  address: string | undefined
  /** The decoded query parameters in the order of the event, with every value of a repeated parameter. */
  parameters: [name: string, value: string][]
  /** The keys are header names in lower case. */
  headers: Partial<Record<string, string>>
}

/** The event of an HTTP request, before its fields are checked. */
export type HttpEvent = Fields & { requestContext: Fields }

export function isHttpEvent(event: unknown): event is HttpEvent {
  if (!isObject(event) || !isObject(event.requestContext)) return false
  return 'httpMethod' in event || 'rawPath' in event || 'http' in event.requestContext
}

const isVersion1 = (event: HttpEvent) => 'httpMethod' in event && !('rawPath' in event)

/**
 * Parses payload formats 2.0 (HTTP APIs, function URLs) and 1.0 (REST APIs). `problems` lists malformed fields, which
 * no gateway sends. Callers must refuse an event with problems, because ignoring a field could drop a filter.
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

/** In payload 1.0, only `multiValueHeaders` has all values of a repeated header, which are joined (RFC 9110, 5.3). */
function readHeaders(event: HttpEvent, reader: FieldReader): Partial<Record<string, string>> {
  const listed = isVersion1(event) ? reader.lists('multiValueHeaders', event.multiValueHeaders) : []
  const joined = [...Map.groupBy(listed, ([name]) => name)].map(
    ([name, values]) => [name, values.map(([, value]) => value).join(', ')] as const,
  )
  const all = [...reader.texts('headers', event.headers), ...joined]
  return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]))
}

/** `queryStringParameters` joins repeated values with commas, so it is used only if there is no raw query. */
function readVersion2(event: HttpEvent, reader: FieldReader) {
  const { requestContext, rawPath, rawQueryString, queryStringParameters } = event
  const { http } = requestContext
  const rawQuery = reader.text('rawQueryString', rawQueryString ?? '')
  return {
    method: reader.text('requestContext.http.method', isObject(http) ? http.method : undefined),
    path: reader.text('rawPath', rawPath),
    // `rawPath` never contains a path mapping.
    stage: typeof requestContext.stage === 'string' ? requestContext.stage : undefined,
    parameters:
      rawQuery === ''
        ? reader.texts('queryStringParameters', queryStringParameters)
        : // `URLSearchParams` removes one question mark, which would hide a mistake in the name of the first parameter.
          [...new URLSearchParams(`?${rawQuery}`)],
  }
}

/** `queryStringParameters` has only the last of repeated values, so the field with all values takes precedence. */
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
  'comes from a load balancer, which does not decode parameters, and may drop repeated ones: call through API Gateway or a function URL'
