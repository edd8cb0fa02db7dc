import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Context } from 'aws-lambda'
import { checkContract } from '../oracle/check-contract.ts'
import { type ApiRequest, pathOf } from '../requests/api-request.ts'
import { type Format, type HttpOptions, httpEvent, lambdaContext } from './http-events.ts'

export type LambdaHandler = (event: unknown, context: Context) => Promise<unknown>

export interface HttpAnswer {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  text: string
  /** The body's JSON value. Undefined if the body is not JSON. */
  body: unknown
}

/** Sends the request as API Gateway does. Throws if the response violates the OpenAPI document. */
export async function ask(handler: LambdaHandler, request: ApiRequest, options: Format | HttpOptions) {
  const given: HttpOptions = typeof options === 'string' ? { format: options } : options
  const answer = readResult((await handler(httpEvent(request, given), lambdaContext())) as LambdaResult)
  const { method = 'GET', path = pathOf(request) } = given
  checkContract({ method, path, ...answer })
  return answer
}

interface LambdaResult {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded?: boolean
}

function readResult(result: LambdaResult): HttpAnswer {
  const headers = Object.fromEntries(
    Object.entries(result.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8')
  const coding = headers['content-encoding'] ?? 'identity'
  const text = DECODERS[coding as keyof typeof DECODERS](bytes).toString('utf8')
  const isJson = text !== '' && headers['content-type'] === 'application/json'
  return { status: result.statusCode, headers, text, body: isJson ? JSON.parse(text) : undefined }
}

export const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

export function nextUrl({ headers }: HttpAnswer): string | undefined {
  if (headers.link === undefined) return undefined
  const url = /^<([^<>]+)>; rel="next"$/.exec(headers.link)?.[1]
  if (url === undefined) throw new Error(`Not a link to a next page: ${headers.link}`)
  return url
}

/** With `asValues`, numbers and booleans are JSON values instead of strings. */
export function directPayload({ endpoint, address, query }: ApiRequest, asValues = false) {
  const spell = (text: string) => (asValues ? jsonValue(text) : text)
  const names = [...new Set(query.map(([name]) => name))]
  const values = names.map(name => query.filter(pair => pair[0] === name).map(pair => spell(pair[1])))
  return {
    ...(endpoint === 'user-events' && { address }),
    query: Object.fromEntries(names.map((name, at) => [name, single(values[at] ?? [])])),
  }
}

function jsonValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text
}

const single = <T>(values: T[]): T | T[] | undefined => (values.length === 1 ? values[0] : values)
