import type { TokenQuery } from '../../../lib/client/create-events-client.ts'
import type { Endpoint } from '../../../lib/query/endpoint.ts'
import { NoRequestError, readRequest } from '../shared/read-request.ts'

/** What is to be exported, as the client is asked for it. */
export interface ExportRequest {
  /** The address of the service, without /v1. */
  baseUrl: string
  endpoint: Endpoint
  /** Of user events. */
  address: string
  query: TokenQuery
  /** The same for all spellings that differ in the order of parameters only. */
  text: string
}

/** They say which part of an answer a page is, and an export is all of it. */
const PARTS = ['limit', 'count']

/**
 * Reads which events are to be exported, written as a request; `service` is where it is asked if it names no service. Throws
 * `NoRequestError` for what is none, and an error for a page that is not the first, or a format beside the command's own.
 */
export function readExportRequest(text: string, service: string): ExportRequest {
  const { endpoint, user = '', parameters } = readRequest(text)
  if (parameters.some(([name]) => name === 'cursor')) {
    throw new Error('Leave the cursor out: an export has all pages of the answer')
  }
  if (parameters.some(([name]) => name === 'format')) {
    throw new Error('Leave format out of the request: --format says how the file is written')
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
    // The service says what is wrong with names and values, as to everybody.
    query: Object.fromEntries(names.map(name => [name, valuesOf(name)])) as TokenQuery,
    text: `${baseUrl} ${endpoint} ${user} ${new URLSearchParams(sorted)}`,
  }
}

const ONLY_PATH = /^\/?(v1\/)?(user|token)-events\b/

/**
 * What stands before the version of a whole address; undefined where there is only a path. Throws `NoRequestError` for
 * what could be either: a host without its protocol must not be asked of another service.
 */
function baseUrlIn(text: string): string | undefined {
  if (ONLY_PATH.test(text)) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new NoRequestError(text)
  const { origin, pathname } = url
  return origin + pathname.slice(0, Math.max(0, pathname.lastIndexOf('/v1/')))
}
