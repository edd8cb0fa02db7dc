import { useEffect, useState } from 'preact/hooks'

interface GrowingOptions {
  /** The number of items that each step adds. */
  share: number
  isAtOnce: boolean
}

/**
 * Returns the first `share` items, and `share` more items after each step. Between the steps the browser can react to
 * the reader.
 */
export function useGrowing<Item>(
  items: readonly Item[],
  { share, isAtOnce }: GrowingOptions,
): readonly Item[] {
  const [count, setCount] = useState(share)
  const isWhole = isAtOnce || count >= items.length
  const isNew = items.length === 0
  useEffect(() => {
    if (isNew) setCount(share)
    if (isWhole) return undefined
    const timer = setTimeout(() => setCount(count + share))
    return () => clearTimeout(timer)
  }, [isNew, isWhole, count, share])
  return isWhole ? items : items.slice(0, count)
}
