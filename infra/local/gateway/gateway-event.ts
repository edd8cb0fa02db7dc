import type { IncomingMessage } from 'node:http'
import type { Claims } from './check-token.ts'
import type { MatchedRoute } from './match-route.ts'

interface Asked {
  matched: MatchedRoute
  rawPath: string
  rawQueryString: string
  claims: Claims | undefined
  body: Buffer
}

/**
 * Creates the event that a function receives, in payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function gatewayEvent(
  request: IncomingMessage,
  { matched, rawPath, rawQueryString, claims, body }: Asked,
) {
  const { cookie, ...headers } = joined(request)
  const { key: routeKey } = matched.route
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers,
    ...(Object.keys(matched.parameters).length > 0 && { pathParameters: matched.parameters }),
    requestContext: {
      domainName: headers.host,
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress,
        userAgent: headers['user-agent'],
      },
      routeKey,
      stage: '$default',
      ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
    },
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  }
}

/** Like the gateway, joins the values of a repeated header with commas. */
const joined = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]))
