import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keepPlace, keepScroll, readPlace, returnTo } from './place.ts'
import type { Events } from './use-events.ts'
import type { Asked } from './use-question.ts'

/** The reader has stopped scrolling if no scroll event follows within this time. */
const REST_MS = 150

/** When the reader returns to a view, restores the scroll position as soon as the rows are loaded. */
export function usePlace(asked: Asked, events: Events): void {
  const returned = useRef<Asked | undefined>(undefined)
  const isThere = events.question === asked.question && !events.isLoading && events.page !== undefined

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      clearTimeout(timer)
      timer = setTimeout(keepScroll, REST_MS)
    }
    const left = new AbortController()
    const { signal } = left
    window.addEventListener('scroll', onScroll, { passive: true, signal })
    window.addEventListener('pagehide', keepScroll, { signal })
    // Clears a pending timer when the view changes, because the timer would store the old view's position for the new
    // view.
    const onLeave = () => clearTimeout(timer)
    window.addEventListener('popstate', onLeave, { signal })
    return () => {
      onLeave()
      left.abort()
    }
  }, [])

  useLayoutEffect(() => {
    if (!isThere || returned.current === asked) return
    returned.current = asked
    if (asked.isReturn) returnTo(readPlace())
  }, [asked, isThere])

  // This is a layout effect, because other effects wait for the next frame, and a reload before that frame would
  // restore too few rows.
  useLayoutEffect(() => {
    if (isThere) keepPlace({ shown: events.records.length })
  }, [isThere, events.records.length])
}
