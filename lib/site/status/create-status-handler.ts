import type { Context } from 'aws-lambda'
import { OPEN_ENDED } from '../../http/cache-control.ts'
import { isReading, preflightResponse } from '../../http/cors.ts'
import { type BoundaryOptions, httpHandler } from '../../http/http-boundary.ts'
import type { HttpRequest } from '../../http/http-request.ts'
import { preferredType } from '../../http/preferred-type.ts'
import { MethodNotAllowedError, NotFoundError } from '../../http/problems.ts'
import { type HttpResponse, jsonResponse } from '../../http/response.ts'
import { baseUrlOf, matchDocument } from '../../http/route.ts'
import { beforeDeadline } from '../../query/before-deadline.ts'
import { DEADLINE_RESERVE_MS } from '../../query/budget.ts'
import { InvalidQueryError } from '../../query/errors.ts'
import type { ReadIndexedThrough } from '../../query/event-store.ts'
import { PAGE_FILES } from '../look/page-files.ts'
import { pageResponse } from '../look/page-response.ts'
import { assetResponse, contentName, type ReadAsset } from '../look/read-asset.ts'
import { serviceStatus } from './service-status.ts'

export interface StatusOptions extends Omit<BoundaryOptions, 'endpoint'> {
  version: string
  readIndexedThrough: ReadIndexedThrough
  readAsset: ReadAsset<keyof typeof PAGE_FILES>
  /**
   * Contracts whose events were created on a local chain, although the records of these events name a different
   * network.
   */
  localContracts?: readonly string[]
  /** Whether the local chain is live, in which case the page polls for new events. */
  isLive?: boolean
  /** In milliseconds since 1970. */
  now?: () => number
}

/** The documentation handler serves all other documents. */
const OWN = /^(page\/[^/]+|v1\/status)?$/

/** The media types of `/`. JSON comes first, because programs often send no preference. */
const ROOT_TYPES = ['application/json', 'text/html'] as const

/** At `/`, callers that prefer `text/html` get the explorer page, and all other callers get the status. */
export function createStatusHandler({ version, readIndexedThrough, readAsset, ...options }: StatusOptions) {
  const { now = Date.now, localContracts = [], isLive = false, ...boundary } = options

  async function status(context: Context): Promise<HttpResponse> {
    const timeLeftMs = context.getRemainingTimeInMillis() - DEADLINE_RESERVE_MS
    const { networks } = await beforeDeadline(timeLeftMs, readIndexedThrough)
    const body = JSON.stringify(serviceStatus(version, { networks, nowMs: now() }))
    return jsonResponse(200, body, { 'Cache-Control': OPEN_ENDED })
  }

  return httpHandler(boundary, async (request, context) => {
    const { document } = matchDocument(request.path) ?? {}
    if (document === undefined || !OWN.test(document)) throw new NotFoundError()
    if (request.method === 'OPTIONS') return preflightResponse()
    if (!isReading(request.method)) throw new MethodNotAllowedError()
    if (document.startsWith('page/')) {
      return assetResponse(document.slice('page/'.length), { files: PAGE_FILES, readAsset })
    }
    if (document === '' && preferredType(ROOT_TYPES, request.headers.accept) === 'text/html') {
      const page = await explorerPage({ readAsset, localContracts, isLive })
      return pageResponse(page, baseUrlOf(request, boundary.publicBaseUrl))
    }
    // `/` may have parameters, because the explorer page reads them.
    if (document === 'v1/status') refuseParameters(request.parameters)
    return status(context)
  })
}

/** Throws `InvalidQueryError` if there is a parameter, because ignoring it would mislead the caller. */
export function refuseParameters(parameters: HttpRequest['parameters']): void {
  if (parameters.length === 0) return
  throw new InvalidQueryError(
    [...new Map(parameters).keys()].map(parameter => ({
      parameter,
      message: 'is not a parameter of status, which has no parameters',
    })),
  )
}

type Shown = Pick<StatusOptions, 'readAsset' | 'localContracts' | 'isLive'>

/** The page's script (lib/site/explorer) renders the page, and reads the attributes of `main`. */
async function explorerPage({ readAsset, localContracts, isLive }: Required<Shown>) {
  const chart = contentName('chart.js', await readAsset('chart.js'))
  const locals = localContracts.length > 0 ? ` data-local-contracts="${localContracts.join(' ')}"` : ''
  return {
    title: 'Blockchain events',
    description: 'What happened on chain to this wallet, or to this token?',
    folder: 'page',
    current: './',
    styles: 'explorer.css',
    script: 'explorer.js',
    readAsset,
    head: `<link id="chart" rel="prefetch" href="page/${chart}">\n`,
    skip: '<a class="skip" href="#events">Skip to the events</a>',
    body: `<main id="explorer"${locals}${isLive ? ' data-live' : ''}>
<noscript><p>A script shows the events. Without the script, use the requests in the <a href="docs">documentation</a>.</p></noscript>
</main>`,
  } as const
}
