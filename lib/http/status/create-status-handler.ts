import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { beforeDeadline } from '../../query/before-deadline.ts'
import { DEADLINE_RESERVE_MS } from '../../query/budget.ts'
import type { ReadIndexedThrough } from '../../query/indexed-through.ts'
import { baseUrlOf } from '../base-url.ts'
import { OPEN_ENDED } from '../cache-control.ts'
import { preflightResponse } from '../cors.ts'
import { htmlResponse } from '../html-response.ts'
import { type BoundaryOptions, type Call, httpBoundary } from '../http-boundary.ts'
import { MethodNotAllowedError, NotFoundError } from '../http-errors.ts'
import type { HttpRequest } from '../http-request.ts'
import { isReading } from '../methods.ts'
import { lookupPage } from '../page/lookup-page.ts'
import { PAGE_FILES } from '../page/page-files.ts'
import { preferredType } from '../preferred-type.ts'
import { assetResponse, type ReadAsset } from '../read-asset.ts'
import { type HttpResponse, jsonResponse } from '../response.ts'
import { matchDocument } from '../route.ts'
import { refuseParameters } from './refuse-parameters.ts'
import { serviceStatus } from './service-status.ts'

export interface StatusOptions extends Omit<BoundaryOptions, 'endpoint'> {
  /** Of the service, as it is deployed. */
  version: string
  readIndexedThrough: ReadIndexedThrough
  readAsset: ReadAsset<keyof typeof PAGE_FILES>
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The root, the page's files and the status; the rest of `matchDocument` is the documentation's. */
const OWN = /^(page\/[^/]+|v1\/status)?$/

/** What stands at `/`: for programs first, since they often say nothing of what they like. */
const ROOT_TYPES = ['application/json', 'text/html'] as const

/**
 * The Lambda handler of `/v1/status` and of `/`, which is a page for people where the caller prefers `text/html` and
 * the status otherwise, and of the page's files.
 */
export function createStatusHandler({ version, readIndexedThrough, readAsset, ...options }: StatusOptions) {
  const { now = Date.now, ...boundary } = options

  async function answer(request: HttpRequest, context: Context): Promise<HttpResponse> {
    const { document } = matchDocument(request.path) ?? {}
    if (document === undefined || !OWN.test(document)) throw new NotFoundError()
    if (request.method === 'OPTIONS') return preflightResponse()
    if (!isReading(request.method)) throw new MethodNotAllowedError()
    if (document.startsWith('page/')) {
      return assetResponse(document.slice('page/'.length), { files: PAGE_FILES, readAsset })
    }
    if (document === '' && preferredType(ROOT_TYPES, request.headers.accept) === 'text/html') {
      return htmlResponse(lookupPage(), baseUrlOf(request, boundary.publicBaseUrl))
    }
    // At `/` they are the page's.
    if (document === 'v1/status') refuseParameters(request.parameters)
    return status(context)
  }

  async function status(context: Context): Promise<HttpResponse> {
    const timeLeftMs = context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS
    const { networks } = await beforeDeadline(timeLeftMs, readIndexedThrough)
    const body = JSON.stringify(serviceStatus(version, { networks, nowMs: now() }))
    return jsonResponse(200, body, { 'Cache-Control': OPEN_ENDED })
  }

  return middy<Call, HttpResponse>()
    .use(httpBoundary(boundary))
    .handler(async (call: Call, context: Context): Promise<HttpResponse> => {
      if (!('http' in call)) throw new NotFoundError()
      return answer(call.http, context)
    })
}
