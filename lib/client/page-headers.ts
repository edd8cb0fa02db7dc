/** The position of a page in the complete result, as stated by the page's headers. */
export interface PageHeaders {
  /** The cursor of the next page. Undefined on the last page. */
  next: string | undefined
  /** Whether the service stopped early. The page may then be shorter than requested although more records follow. */
  isPartial: boolean
  /** The number of matching records. Set only if the query has `count`. */
  total: number | undefined
  /** The minimum number of matching records. Set instead of `total` if the service stopped counting early. */
  totalAtLeast: number | undefined
}

export const readPageHeaders = (headers: Headers): PageHeaders => ({
  next: cursorOf(headers.get('link')),
  isPartial: headers.get('x-partial') === 'true',
  total: numberOf(headers.get('x-total-count')),
  totalAtLeast: numberOf(headers.get('x-total-count-at-least')),
})

export interface AnswerHeaders {
  /** How far each network is indexed, from `X-Indexed-Through`. */
  indexedThrough: string | undefined
  /** How far each network's stored events are proven to match the chain, from `X-Audited-Through`. */
  auditedThrough: string | undefined
  /** The parameters with a value that no event can have, such as a mistyped address. Undefined if there are none. */
  unmatchable: string[] | undefined
  /** The id of the request in the service's logs. */
  requestId: string | undefined
}

export const readAnswerHeaders = (headers: Headers): AnswerHeaders => ({
  indexedThrough: headers.get('x-indexed-through') ?? undefined,
  auditedThrough: headers.get('x-audited-through') ?? undefined,
  unmatchable: headers.get('x-unmatchable')?.split(', '),
  requestId: headers.get('x-request-id') ?? undefined,
})

/** Uses only the link's cursor, because the link may be relative or have an address that this client cannot reach. */
function cursorOf(link: string | null): string | undefined {
  const [, target] = /<([^<>]+)>; *rel="next"/.exec(link ?? '') ?? []
  const [, search] = /\?([^#]*)/.exec(target ?? '') ?? []
  return new URLSearchParams(search).get('cursor') ?? undefined
}

const numberOf = (header: string | null) => (header === null ? undefined : Number(header))
