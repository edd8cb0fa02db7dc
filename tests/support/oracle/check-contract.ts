import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Sent {
  method: string
  /** The path without the query, but including any stage or path mapping. */
  path: string
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  text: string
}

interface Described {
  headers?: Record<string, Reference | DescribedHeader>
  content?: Record<string, { schema: object }>
}
interface DescribedHeader {
  required?: boolean
  schema: object
}
type Reference = { $ref: string }

interface OpenApiDocument {
  paths: Record<string, { get: { responses: Record<string, Described | Reference> } }>
}

const FILE = path.join(import.meta.dirname, '../../../lib/site/docs/openapi.json')
const document: OpenApiDocument = JSON.parse(readFileSync(FILE, 'utf8'))

const ajv = new Ajv2020({ strict: false, validateFormats: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi.json', ...document })

/** Headers of HTTP itself, and headers that only browsers use, so callers depend on none of them. */
const NOT_DESCRIBED = [
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'],
  ...['access-control-expose-headers', 'x-content-type-options'],
]

/** Throws if the response's status, headers or body violate the OpenAPI document. */
export function checkContract(sent: Sent): void {
  const { method, status, headers, text } = sent
  if (method === 'OPTIONS') return
  const described = find(responsesOf(sent)[status])
  if (!described) throw new Error(`The document does not describe a ${status} to ${method} ${sent.path}`)
  checkHeaders(headers, described)
  if (described.content === undefined || method === 'HEAD') {
    if (text !== '') throw new Error(`A ${status} to ${method} must have no body`)
    return
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const content = described.content[type]
  if (!content) throw new Error(`The document does not describe the type ${type} of a ${status}`)
  check(content.schema, type === 'application/json' ? JSON.parse(text) : text, `The body of ${status}`)
  // The lines of NDJSON are checked as a JSON page, because the document describes them only in words.
  const page = described.content['application/json']
  if (type === 'application/x-ndjson' && page) check(page.schema, linesIn(text), `The lines of ${status}`)
}

/** Parses NDJSON. */
export function linesIn(text: string): unknown[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('The last line must end with a line break')
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

/**
 * The document's responses for a path. A path that is not in the document gets the responses of another path, because
 * the 404 response is the same for every path.
 */
function responsesOf({ path: sentPath }: Sent) {
  const isUser = /\/v1\/user-events\/[^/]+$/.test(sentPath)
  const [named = '/v1/token-events'] = /\/v1\/(status|changes)$/.exec(sentPath) ?? []
  const name = isUser ? '/v1/user-events/{address}' : named
  return document.paths[name]?.get.responses ?? {}
}

function checkHeaders(headers: Sent['headers'], described: Described): void {
  const known = new Map(
    Object.entries(described.headers ?? {}).map(([name, each]) => [name.toLowerCase(), each]),
  )
  for (const name of Object.keys(headers)) {
    if (!known.has(name) && !NOT_DESCRIBED.includes(name))
      throw new Error(`The document does not describe the header ${name}`)
  }
  for (const [name, reference] of known) {
    const header = find<DescribedHeader>(reference)
    if (headers[name] !== undefined && header) check(header.schema, headers[name], `The header ${name}`)
    else if (header?.required) throw new Error(`The required header ${name} is missing`)
  }
}

function find<T extends object>(part: T | Reference | undefined): T | undefined {
  if (!part || !('$ref' in part)) return part
  const keys = part.$ref.slice(2).split('/')
  return keys.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], document) as T
}

const validators = new WeakMap<object, ValidateFunction>()

function check(schema: object, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile(absolute(schema))
  validators.set(schema, validate)
  if (validate(value)) return
  throw new Error(`${what} violates the OpenAPI document: ${ajv.errorsText(validate.errors)}`)
}

const absolute = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/'))
