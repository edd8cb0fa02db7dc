import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** An element within this distance of the window counts as near. */
const NEAR = '600px'

/** Whether the element has ever been in or near the window. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current || isNear) return undefined
    const sight = new IntersectionObserver(
      entries => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: NEAR },
    )
    sight.observe(current)
    return () => sight.disconnect()
  }, [element, isNear])
  return isNear
}
