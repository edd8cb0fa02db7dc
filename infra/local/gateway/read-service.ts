import type { HttpApiEvent, Serverless } from '../../deploy/framework.ts'
import type { FunctionDefinition } from './local-functions.ts'
import type { ApiRoute } from './match-route.ts'

export function readService({ service }: Serverless) {
  const { provider, functions } = service
  const entries = Object.entries(functions)
  const routes = entries.flatMap(([functionKey, { events = [] }]) =>
    events.flatMap(({ httpApi }) => (httpApi ? [routeOf(httpApi, { functionKey, provider })] : [])),
  )
  // A function without events is omitted, because only CloudFormation calls it.
  const called = entries.filter(([, { events = [] }]) => events.length > 0)
  const definitions = called.map(([key, entry]): [string, FunctionDefinition] => [
    key,
    {
      name: entry.name,
      handler: entry.handler,
      timeoutSeconds: entry.timeout ?? provider.timeout ?? DEFAULT_TIMEOUT_SECONDS,
      environment: { ...textsOf(provider.environment), ...textsOf(entry.environment) },
    },
  ])
  return { routes, definitions: Object.fromEntries(definitions) }
}

/** The framework's default time limit, which its `service` object does not contain. */
const DEFAULT_TIMEOUT_SECONDS = 6

function routeOf(
  event: HttpApiEvent,
  { functionKey, provider }: { functionKey: string; provider: Serverless['service']['provider'] },
): ApiRoute {
  if (event === '*') return { key: '$default', functionKey }
  if (typeof event === 'string') return { key: event, functionKey }
  const { method = '*', path, authorizer } = event
  const key = `${method === '*' ? 'ANY' : method.toUpperCase()} ${path}`
  const name = typeof authorizer === 'object' ? authorizer.name : authorizer
  const rules = name ? provider.httpApi?.authorizers?.[name] : undefined
  if (name && rules?.type !== 'jwt')
    throw new Error(`The local stack can simulate only JWT authorizers, but ${name} is of another type`)
  return { key, functionKey, ...(rules && { token: rules }) }
}

/** Returns only the variables with literal values, because CloudFormation computes all other values. */
const textsOf = (environment: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  )
