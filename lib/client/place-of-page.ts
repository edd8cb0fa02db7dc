/** What an answer's headers say of where its page stands in the whole. */
export interface PlaceOfPage {
  /** The cursor of the next page; undefined at the end. */
  next: string | undefined
  /** Whether reading stopped early: the page is short, and more may follow. */
  isPartial: boolean
  /** With `count`: how many records match. */
  total: number | undefined
  /** In place of `total`, where not all were counted: so many, and perhaps more. */
  totalAtLeast: number | undefined
}

export const placeOfPage = (headers: Headers): PlaceOfPage => ({
  next: cursorOf(headers.get('link')),
  isPartial: headers.get('x-partial') === 'true',
  total: numberOf(headers.get('x-total-count')),
  totalAtLeast: numberOf(headers.get('x-total-count-at-least')),
})

/** The link itself may name an address that this client cannot reach; the cursor in it is all that counts. */
function cursorOf(link: string | null): string | undefined {
  const [, target] = /<([^<>]+)>; *rel="next"/.exec(link ?? '') ?? []
  return target === undefined ? undefined : (new URL(target).searchParams.get('cursor') ?? undefined)
}

/** The names in `X-Unmatchable`. */
export const unmatchableIn = (headers: Headers): string[] | undefined =>
  headers.get('x-unmatchable')?.split(', ')

const numberOf = (header: string | null) => (header === null ? undefined : Number(header))
