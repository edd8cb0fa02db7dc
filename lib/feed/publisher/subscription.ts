import * as z from 'zod/mini'
import { EVENT_KINDS } from '../../events/event-kinds.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import type { Scope } from './change-feed.ts'
import { findWrongAddress } from './deliveries/internal-addresses.ts'

export interface Subscription {
  name: string
  target: Target
  scope: Scope
  /** Whether to send only events of final blocks, and therefore no removals. */
  finalized: boolean
  /** Where in the feed a subscription without a stored state starts. */
  from: 'beginning' | 'now'
}

export type Target =
  | { kind: 'webhook'; url: string; secrets: readonly string[] }
  | { kind: 'bus'; busName: string }

interface ParseOptions {
  allowLoopback: boolean
  /** The table's networks. Undefined if the table has all networks, or if its networks are unknown. */
  networks?: readonly Network[] | undefined
}

export interface ParsedSubscriptions {
  subscriptions: Subscription[]
  /** One sentence per problem, without secrets or addresses. */
  problems: string[]
}

/** The maximum number of addresses, as in a request to the feed. */
const MAX_ADDRESSES = 10
const BUS = 'eventbridge:'
/** The number of random bytes in a secret, as the Standard Webhooks specification recommends. */
const SECRET_BYTES = { least: 24, most: 64 }

const IS_ADDRESS = 'must be 0x and 40 hex digits'
const address = z.string(IS_ADDRESS).check(z.regex(/^0x[0-9a-f]{40}$/i, IS_ADDRESS), z.toLowerCase())

/** The result is sorted and contains no duplicates. */
const oneOrMore = <Value extends string>(schema: z.ZodMiniType<Value, unknown>, message: string) =>
  z.pipe(
    z.union([schema, z.array(schema).check(z.minLength(1, message))], message),
    z.transform(values => [...new Set([values].flat() as Value[])].toSorted()),
  )

const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}, or a list of these`

const NAME_RULE =
  'must consist of 1 to 64 lower-case letters, digits and hyphens, and must begin with a letter or a digit'
const TO_RULE = 'must be an https address, or eventbridge:<name of an event bus>'
const SECRET_RULE = `must be whsec_ and ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes in base64: create a secret with node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`

const secret = z.string(SECRET_RULE).check(z.refine(isSecret, SECRET_RULE))

const schema = z.strictObject({
  name: z.string(NAME_RULE).check(z.regex(/^[a-z\d][a-z\d-]{0,63}$/, NAME_RULE)),
  to: z.string(TO_RULE),
  secret: z.optional(z.union([secret, z.array(secret).check(z.minLength(1), z.maxLength(2))], SECRET_RULE)),
  network: z.optional(oneOrMore(z.enum(NETWORKS), oneOf(NETWORKS))),
  event: z.optional(oneOrMore(z.enum(EVENT_KINDS), oneOf(EVENT_KINDS))),
  address: z.optional(
    oneOrMore(address, `${IS_ADDRESS}, or a list of such addresses`).check(
      z.refine(values => values.length <= MAX_ADDRESSES, `must contain at most ${MAX_ADDRESSES} addresses`),
    ),
  ),
  user: z.optional(address),
  finalized: z.optional(z.boolean('must be true or false')),
  from: z.optional(z.enum(['beginning', 'now'], 'must be beginning or now')),
})

/** Omits invalid subscriptions, and describes their faults in `problems`. Never throws. */
export function parseSubscriptions(given: unknown, options: ParseOptions): ParsedSubscriptions {
  if (!Array.isArray(given)) return { subscriptions: [], problems: ['Subscriptions must be a list'] }
  const parsed: ParsedSubscriptions = { subscriptions: [], problems: [] }
  for (const [index, each] of given.entries()) {
    const { subscription, problems } = parseOne(each, options)
    if (parsed.subscriptions.some(({ name }) => name === each?.name))
      problems.push('name must differ from the names of other subscriptions')
    parsed.problems.push(...problems.map(problem => `${titleOf(each, index)}: ${problem}`))
    if (subscription && problems.length === 0) parsed.subscriptions.push(subscription)
  }
  return parsed
}

function titleOf(given: unknown, index: number): string {
  const { success, data } = z.object({ name: schema.shape.name }).safeParse(given)
  return `Subscription ${index + 1}${success ? ` (${data.name})` : ''}`
}

function parseOne(
  given: unknown,
  options: ParseOptions,
): { subscription?: Subscription; problems: string[] } {
  const { data, error } = schema.safeParse(given)
  const problems = [...(error?.issues.map(sentenceOf) ?? []), ...findWrongTarget(given, options)]
  if (!data) return { problems }
  const { name, to, secret, finalized = false, from = 'now', ...scope } = data
  const { networks = NETWORKS } = options
  if (scope.network && !scope.network.some(each => networks.includes(each)))
    problems.push(`network must name a network that the table stores: ${networks.join(', ')}`)
  const target: Target = to.startsWith(BUS)
    ? { kind: 'bus', busName: to.slice(BUS.length) }
    : { kind: 'webhook', url: to, secrets: [secret ?? []].flat() }
  return { subscription: { name, target, scope, finalized, from }, problems }
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `there is no key ${issue.keys.map(key => JSON.stringify(key)).join(', ')}; the valid keys are ${Object.keys(schema.shape).join(', ')}`
  const [key] = issue.path
  return key === undefined ? 'it must be an object' : `${String(key)} ${issue.message}`
}

/**
 * Finds problems with the target that the schema cannot detect. Works even if other values of the subscription are
 * wrong.
 */
function findWrongTarget(given: unknown, options: ParseOptions): string[] {
  const { data } = z.object({ to: z.string(), secret: z.optional(z.unknown()) }).safeParse(given)
  if (!data) return []
  const { to } = data
  const hasSecret = data.secret !== undefined
  if (to.startsWith(BUS)) {
    const isName = /^[\w./-]{1,256}$/.test(to.slice(BUS.length))
    return [
      ...(isName
        ? []
        : ['to must be eventbridge:<bus name>, with a name of 1 to 256 letters, digits or any of ._-/']),
      ...(hasSecret
        ? ['secret must be left out, because only webhooks are signed; access to a bus is protected by IAM']
        : []),
    ]
  }
  const wrong = /^https?:/i.test(to) ? findWrongAddress(to, options) : TO_RULE
  return [
    ...(wrong === undefined ? [] : [`to ${wrong}`]),
    ...(hasSecret ? [] : ['secret is missing, but is needed to sign webhooks']),
  ]
}

function isSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text) ?? []
  const { length } = Buffer.from(base64, 'base64')
  return base64.length % 4 === 0 && length >= SECRET_BYTES.least && length <= SECRET_BYTES.most
}
