import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import type { Span } from '../activity/cut-bars.ts'
import type { Activity } from '../activity/read-activity.ts'
import { drawChart } from '../show/draw-chart.ts'
import { spanLabel } from '../show/times.ts'

interface ChartOptions {
  activity: Activity
  /** Told of the bar under the pointer, by its place. */
  onPoint: (bar: number | undefined) => void
  /** Told of the span of the bars that were dragged over, or of the one that was clicked. */
  onSelect: (span: Span) => void
}

/** The activity as stacked bars. */
export function Chart({ activity, onPoint, onSelect }: ChartOptions) {
  const room = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const [first, last] = [activity.bars.at(0), activity.bars.at(-1)]
  useEffect(() => {
    const element = room.current
    if (!element) return undefined
    const select = ([from, to]: [number, number]) => {
      const [start, end] = [activity.bars[from], activity.bars[to]]
      if (start && end) onSelect({ from: start.from, to: end.to })
    }
    const chart: uPlot = drawChart(element, { activity, onPoint, onSelect: select })
    const growth = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: chart.height }),
    )
    growth.observe(element)
    return () => {
      growth.disconnect()
      chart.destroy()
    }
  }, [activity, theme])
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

/** Changes whenever the colours do, for a drawing does not by itself. */
function useTheme(): number {
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const onChange = () => setTheme(count => count + 1)
    document.addEventListener('themechange', onChange)
    return () => document.removeEventListener('themechange', onChange)
  }, [])
  return theme
}
