import uPlot from 'uplot'
import type { Span } from '../activity/cut-bars.ts'
import { type Activity, isLogarithmic, KINDS, totalOf } from '../activity/read-activity.ts'
import { type ChartColors, chartColors } from './chart-colors.ts'
import { groupDigits } from './short-texts.ts'
import { barLabels } from './times.ts'

export interface DrawOptions {
  activity: Activity
  /** `bar` is an index, or undefined if no bar is under the pointer. */
  onPoint: (bar: number | undefined) => void
  /** Called with the span of the clicked bar, or with the span of the bars over which the reader dragged. */
  onSelect: (span: Span) => void
}

const HEIGHT = 136
/** A drag over fewer pixels is treated as a click. */
const DRAG_PIXELS = 5
const LABEL_PIXELS = 90
/** The height of the hatched top that marks a lower bound, as a fraction of the highest bar's height. */
const UNKNOWN_SHARE = 0.06

/** Fills the width of `element`, and removes the drawing when `signal` aborts. */
export function drawChart(
  element: HTMLElement,
  { activity, onPoint, onSelect, signal }: DrawOptions & { signal: AbortSignal },
): void {
  const { bars } = activity
  const colors = chartColors(element)
  const select = (from: number, to: number) => {
    const [start, last] = [bars[from], bars[to]]
    // A selection of bars without events is ignored, because it would lead to an empty view.
    const isEmpty = bars.slice(from, to + 1).every(bar => totalOf(bar) === 0)
    if (start && last && !isEmpty) onSelect({ from: start.from, to: last.to })
  }
  const placeAt = (chart: uPlot, left: number) =>
    Math.min(Math.max(Math.round(chart.posToVal(left, 'x')), 0), bars.length - 1)
  const onDrag = (chart: uPlot) => {
    const { left, width } = chart.select
    if (width > 0) select(placeAt(chart, left), placeAt(chart, left + width))
  }
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    scales: {
      x: { time: false, range: [-0.6, bars.length - 0.4] },
      y: {
        range: (_chart, _min, max) => [0, Math.max(max, 1) * 1.05],
        ...(isLogarithmic(bars) && { distr: 100, fwd: Math.log1p, inv: Math.expm1 }),
      },
    },
    axes: axesOf(activity, colors),
    cursor: { y: false, points: { show: false }, drag: { setScale: false, dist: DRAG_PIXELS } },
    series: [{}, ...seriesOf(colors)],
    hooks: {
      setSelect: [onDrag],
      setCursor: [({ cursor: { idx, left = -1 } }) => onPoint(left < 0 ? undefined : (idx ?? undefined))],
    },
  }
  const chart = new uPlot(options, stacked(activity), element)
  chart.over.addEventListener('click', () => {
    const { left = -1 } = chart.cursor
    const place = placeAt(chart, left)
    if (left >= 0 && chart.select.width === 0) select(place, place)
  })
  const growth = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: chart.height }))
  growth.observe(element)
  signal.addEventListener('abort', () => {
    growth.disconnect()
    chart.destroy()
  })
}

function axesOf({ bars, unit }: Activity, { text, line }: ChartColors): uPlot.Axis[] {
  const axis = { stroke: text, ticks: { show: false }, font: '12px system-ui, sans-serif' }
  return [
    {
      ...axis,
      grid: { show: false },
      size: unit === 'year' ? 28 : 42,
      splits: ({ width }) => everyPlace(bars.length, width),
      values: (_chart, places) =>
        barLabels(
          places.flatMap(place => bars[place] ?? []),
          unit,
        ),
    },
    {
      ...axis,
      grid: { stroke: line, width: 1 },
      size: 56,
      ...(isLogarithmic(bars)
        ? { splits: ({ scales: { y } }) => powersOfTen(y?.max ?? 1) }
        : { incrs: WHOLE_STEPS }),
      filter: (_chart, counts) => counts,
      values: (_chart, counts) => counts.map(groupDigits),
    },
  ]
}

const WHOLE_STEPS = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat()

const powersOfTen = (most: number) =>
  Array.from({ length: 8 }, (_, power) => 10 ** power).filter(each => each <= most)

function everyPlace(bars: number, width: number): number[] {
  const step = Math.ceil(bars / Math.max(1, Math.floor(width / LABEL_PIXELS)))
  return Array.from({ length: Math.ceil(bars / step) }, (_, index) => index * step)
}

/**
 * Returns cumulative heights, with the highest series first, because each series is drawn over part of the previous
 * series.
 */
function stacked({ bars }: Activity): uPlot.AlignedData {
  const heights = KINDS.map((_, last) =>
    bars.map(({ counts }) =>
      KINDS.slice(0, last + 1).reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0),
    ),
  )
  const whole = heights.at(-1) ?? []
  const unknown = Math.max(...whole) * UNKNOWN_SHARE
  const above = bars.map(({ isAtLeast }, place) => (isAtLeast ? (whole[place] ?? 0) + unknown : null))
  return [bars.map((_, place) => place), above, ...heights.toReversed()]
}

function seriesOf({ unknown, kinds, text }: ChartColors): uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.8, 60] })
  const fills = [unknown, ...KINDS.map(kind => kinds.get(kind) ?? text).toReversed()]
  return fills.map(fill => ({ fill: () => fill, width: 0, points: { show: false }, ...(paths && { paths }) }))
}
