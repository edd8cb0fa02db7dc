import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { totalOf } from '../activity/count-bars.ts'
import type { Span } from '../activity/cut-bars.ts'
import type { Activity } from '../activity/read-activity.ts'
import { spanLabel } from '../show/times.ts'
import { loadLater } from '../state/load-later.ts'
import { useNear } from '../state/use-near.ts'

interface ChartOptions {
  activity: Activity
  /** Called with the index of the hovered bar, or with undefined when no bar is hovered. */
  onPoint: (bar: number | undefined) => void
  /** Called with the span of the clicked bar, or of the bars over which the reader dragged. */
  onSelect: (span: Span) => void
}

/** The activity as stacked bars. */
export function Chart({ activity, onPoint, onSelect }: ChartOptions) {
  const room = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  // On a phone the chart is far below the first screen. If the chart were drawn at once, the first screen would appear
  // later.
  const isNear = useNear(room)
  const [first, last] = [activity.bars.at(0), activity.bars.at(-1)]
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    const element = room.current
    if (!element || !isNear) return undefined
    const left = new AbortController()
    const select = ([from, to]: [number, number]) => {
      const [start, end] = [activity.bars[from], activity.bars[to]]
      // Bars without events would lead to an empty view.
      const isEmpty = activity.bars.slice(from, to + 1).every(bar => totalOf(bar) === 0)
      if (start && end && !isEmpty) onSelect({ from: start.from, to: end.to })
    }
    loadLater().then(
      ({ drawChart }) => {
        if (left.signal.aborted) return
        keepWidth(drawChart(element, { activity, onPoint, onSelect: select }), { element, left: left.signal })
      },
      () => setFailed(true),
    )
    return () => left.abort()
  }, [activity, theme, isNear])
  if (isFailed) return <p class="quiet reason">There is no chart: its script could not be loaded.</p>
  const label = first && last ? `Events from ${spanLabel({ from: first.from, to: last.to })}` : 'Events'
  return (
    <div
      ref={room}
      class="chart-room"
      role="img"
      aria-label={`${label}, as bars. The table below has the numbers.`}
    />
  )
}

/** Keeps a drawing as wide as its element. Destroys the drawing when `left` is aborted. */
function keepWidth(chart: uPlot, { element, left }: { element: HTMLElement; left: AbortSignal }) {
  const growth = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: chart.height }))
  growth.observe(element)
  left.addEventListener('abort', () => {
    growth.disconnect()
    chart.destroy()
  })
}

/**
 * Returns a number that changes with the page's colours. The chart is then drawn again, because a drawing keeps its
 * first colours.
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
