/** The position of a page in the whole answer, as the page's headers state it. */
export interface PageHeaders {
  /** The cursor of the next page. Undefined on the last page. */
  next: string | undefined
  /**
   * Whether the service stopped reading early. The page is then shorter than requested, and more records may follow.
   */
  isPartial: boolean
  /** The number of matching records. Only set with `count`. */
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

/**
 * The link may be relative, or contain an address that this client cannot reach, so only the link's cursor is used.
 */
function cursorOf(link: string | null): string | undefined {
  const [, target] = /<([^<>]+)>; *rel="next"/.exec(link ?? '') ?? []
  const [, search] = /\?([^#]*)/.exec(target ?? '') ?? []
  return new URLSearchParams(search).get('cursor') ?? undefined
}

/** The names in `X-Unmatchable`. */
export const unmatchableIn = (headers: Headers): string[] | undefined =>
  headers.get('x-unmatchable')?.split(', ')

const numberOf = (header: string | null) => (header === null ? undefined : Number(header))
