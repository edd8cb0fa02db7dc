import type { TokenRules } from './check-token.ts'

export interface ApiRoute {
  /** The route's key, such as `GET /v1/user-events/{address}`, `ANY /path`, or `$default`. */
  key: string
  functionKey: string
  /** The rules for tokens, if the route accepts only callers with a valid token. */
  token?: TokenRules
}

export interface MatchedRoute {
  route: ApiRoute
  parameters: Record<string, string>
}

/**
 * Returns a function that finds a request's route in API Gateway's order. Paths without variables come before paths
 * with variables. Within each of these groups, a route for the request's method comes before a route for `ANY`. The
 * default route comes last. The function throws a `URIError` if a variable's value cannot be decoded.
 */
export function routeMatcher(routes: readonly ApiRoute[]) {
  const exact = new Map(routes.map(route => [route.key, route]))
  const named = routes.filter(({ key }) => key.includes('{')).map(route => ({ route, ...partsOf(route.key) }))

  return (method: string, path: string): MatchedRoute | undefined => {
    const found = exact.get(`${method} ${path}`) ?? exact.get(`ANY ${path}`)
    if (found) return { route: found, parameters: {} }
    const segments = path.split('/')
    for (const wanted of [method, 'ANY']) {
      for (const candidate of named) {
        const parameters = candidate.method === wanted && parametersOf(candidate.segments, segments)
        if (parameters) return { route: candidate.route, parameters }
      }
    }
    const fallback = exact.get('$default')
    return fallback && { route: fallback, parameters: {} }
  }
}

function partsOf(key: string): { method: string; segments: string[] } {
  const [method = '', path = ''] = key.split(' ')
  return { method, segments: path.split('/') }
}

function parametersOf(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] ?? ''
    if (!expected.startsWith('{')) {
      if (segment !== expected) return undefined
    } else if (segment === '') return undefined
    else parameters[expected.slice(1, -1)] = decodeURIComponent(segment)
  }
  return parameters
}
