import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DrawOptions } from '../show/draw-chart.ts'
import { spanLabel } from '../show/times.ts'
import { loadLater } from '../state/load-later.ts'

export function Chart({ activity, onPoint, onSelect }: DrawOptions) {
  const room = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  // On a phone, the chart is far below the first screen, and drawing it immediately would delay that screen.
  const isNear = useNear(room)
  const [first, last] = [activity.bars.at(0), activity.bars.at(-1)]
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    const element = room.current
    if (!element || !isNear) return undefined
    const left = new AbortController()
    const { signal } = left
    loadLater().then(
      ({ drawChart }) => signal.aborted || drawChart(element, { activity, onPoint, onSelect, signal }),
      () => setFailed(true),
    )
    return () => left.abort()
  }, [activity, theme, isNear])
  if (isFailed)
    return (
      <p class="quiet reason">
        There is no chart, because its script could not be loaded. Reload the page to try again.
      </p>
    )
  const label = first && last ? `Events from ${spanLabel({ from: first.from, to: last.to })}` : 'Events'
  return (
    <div
      ref={room}
      class="chart-room"
      role="img"
      aria-label={`${label}, as bars. The table below shows the numbers.`}
    />
  )
}

/**
 * Returns a number that changes with the theme. A canvas keeps its colours, so the chart must be redrawn when the theme
 * changes.
 */
function useTheme(): number {
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const onChange = () => setTheme(count => count + 1)
    document.addEventListener('themechange', onChange)
    return () => document.removeEventListener('themechange', onChange)
  }, [])
  return theme
}

const NEAR = '600px'

function useNear(element: RefObject<Element | null>): boolean {
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
