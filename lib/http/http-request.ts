import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda'

/** What the functions need of a request, whichever way it came in. */
export interface HttpRequest {
  method: string
  host: string
  /** As the gateway reports it; behind a stage or a path mapping that comes first. */
  path: string
  /** The `address` of the route, decoded, where the gateway has matched one. */
  address: string | undefined
  /** The query parameters in the order given, decoded, repetitions kept. */
  parameters: [name: string, value: string][]
  /** Names in lower case. */
  headers: Partial<Record<string, string>>
}

export type HttpEvent = APIGatewayProxyEventV2 | APIGatewayProxyEvent

/** Whether a function was called for an HTTP request, and not directly. */
export function isHttpEvent(event: unknown): event is HttpEvent {
  if (typeof event !== 'object' || event === null) return false
  const { requestContext, rawPath, httpMethod } = event as Partial<
    APIGatewayProxyEventV2 & APIGatewayProxyEvent
  >
  if (typeof requestContext !== 'object' || requestContext === null) return false
  return (
    typeof httpMethod === 'string' || (typeof rawPath === 'string' && typeof requestContext.http === 'object')
  )
}

/**
 * Reads payload format 2.0 (HTTP APIs, function URLs) and 1.0 (REST APIs).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function readHttpRequest(event: HttpEvent): HttpRequest {
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    ...('rawPath' in event ? readVersion2(event) : readVersion1(event)),
    host: event.requestContext.domainName ?? '',
    address: event.pathParameters?.address,
    headers: Object.fromEntries(headers),
  }
}

/** The parsed `queryStringParameters` of 2.0 joins repetitions with commas, so the raw text is read. */
function readVersion2(event: APIGatewayProxyEventV2) {
  return {
    method: event.requestContext.http.method,
    path: event.rawPath,
    parameters: [...new URLSearchParams(event.rawQueryString ?? '')],
  }
}

function readVersion1(event: APIGatewayProxyEvent) {
  const parameters = Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  )
  return { method: event.httpMethod, path: event.requestContext.path ?? event.path, parameters }
}
