import { useEffect, useRef, useState } from 'preact/hooks'
import type { EventPage } from '../../client/create-events-client.ts'

interface ReadOnOptions {
  /** The last one that was read. */
  page: EventPage
  isLoading: boolean
  isNewestFirst: boolean
  readOn: () => void
}

/** The way to the next page, or the end of the list. */
export function ReadOn({ page, isLoading, isNewestFirst, readOn }: ReadOnOptions) {
  const end = useRef<HTMLParagraphElement>(null)
  const [first] = useState(page)
  // Whoever came here by the button, which is gone, is not sent back to the top.
  useEffect(() => {
    if (page !== first && document.activeElement === document.body)
      end.current?.focus({ preventScroll: true })
  }, [page, first])
  if (page.next === undefined) {
    return (
      <p ref={end} tabIndex={-1} class="end quiet">
        These are all.
      </p>
    )
  }
  const label = page.isPartial ? 'Go on' : `Show ${isNewestFirst ? 'older' : 'newer'} ones`
  return (
    // Disabled, it would lose the focus.
    <button type="button" class="button wide" aria-disabled={isLoading} onClick={() => isLoading || readOn()}>
      {isLoading ? 'Loading…' : label}
    </button>
  )
}
