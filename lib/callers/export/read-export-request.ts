import type { TokenQuery } from '../../client/create-events-client.ts'
import { checkAddress } from '../../client/send.ts'
import { noRequest, readRequest } from '../../kit/read-request.ts'
import type { Endpoint } from '../../query/endpoints.ts'

export interface ExportRequest {
  /** The address of the service, without `/v1`. */
  baseUrl: string
  endpoint: Endpoint
  /** The user's address. Empty for token events. */
  address: string
  query: TokenQuery
  /** The request as text. Requests that differ only in the order of their parameters have the same text. */
  text: string
}

/** The parameters that concern a single page. An export ignores them because it contains all pages. */
const PARTS = ['limit', 'count']

/** `service` is the default address. Throws if the text is not a request, or has a `cursor` or `format`. */
export function readExportRequest(text: string, service: string): ExportRequest {
  const { endpoint, user = '', parameters } = readRequest(text)
  if (parameters.some(([name]) => name === 'cursor')) {
    throw new Error('The request must not contain a cursor, because an export always contains all pages')
  }
  if (parameters.some(([name]) => name === 'format')) {
    throw new Error('The request must not contain format, because --format determines the format of the file')
  }
  const asked = parameters.filter(([name]) => !PARTS.includes(name))
  const names = [...new Set(asked.map(([name]) => name))].sort()
  const valuesOf = (wanted: string) => asked.filter(([name]) => name === wanted).map(([, value]) => value)
  const sorted = names.flatMap(name => valuesOf(name).map((value): [string, string] => [name, value]))
  const baseUrl = baseUrlIn(text) ?? service.replace(/\/+$/, '')
  return {
    baseUrl,
    endpoint,
    address: user,
    // The service itself validates the names and values.
    query: Object.fromEntries(names.map(name => [name, valuesOf(name)])) as TokenQuery,
    text: `${baseUrl} ${endpoint} ${user} ${new URLSearchParams(sorted)}`,
  }
}

const ONLY_PATH = /^\/?(v1\/)?(user|token)-events(?![^/?#])/

/** Throws for a host without a protocol. Without this check, the host would be taken for a path. */
function baseUrlIn(text: string): string | undefined {
  if (ONLY_PATH.test(text)) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw noRequest(text)
  const { origin, pathname } = url
  const baseUrl = origin + pathname.slice(0, Math.max(0, pathname.lastIndexOf('/v1/')))
  checkAddress(baseUrl)
  return baseUrl
}
