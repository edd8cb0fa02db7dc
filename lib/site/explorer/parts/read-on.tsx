import { useEffect, useRef, useState } from 'preact/hooks'
import type { EventPage } from '../../../client/create-events-client.ts'

interface ReadOnOptions {
  page: EventPage
  isLoading: boolean
  isNewestFirst: boolean
  readOn: () => void
}

export function ReadOn({ page, isLoading, isNewestFirst, readOn }: ReadOnOptions) {
  const end = useRef<HTMLParagraphElement>(null)
  const [first] = useState(page)
  // On the last page, the button disappears, and the focus moves to the end of the list, not to the top of the page.
  useEffect(() => {
    if (page !== first && document.activeElement === document.body)
      end.current?.focus({ preventScroll: true })
  }, [page, first])
  if (page.next === undefined) {
    return (
      <p ref={end} tabIndex={-1} class="end quiet">
        No more events.
      </p>
    )
  }
  const label = page.isPartial ? 'Continue' : `Show ${isNewestFirst ? 'older' : 'newer'} events`
  return (
    // The button stays enabled while a page loads, because a disabled button loses the focus.
    <button type="button" class="button wide" aria-disabled={isLoading} onClick={() => isLoading || readOn()}>
      {isLoading ? 'Loading…' : label}
    </button>
  )
}
