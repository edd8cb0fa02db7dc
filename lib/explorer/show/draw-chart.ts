import uPlot from 'uplot'
import type { Activity } from '../activity/read-activity.ts'
import { type ChartColors, chartColors } from './chart-colors.ts'
import { KINDS } from './event-kinds.ts'
import { groupDigits } from './short-texts.ts'
import { barLabel } from './times.ts'

interface DrawOptions {
  activity: Activity
  onPoint: (bar: number | undefined) => void
  /** With the places of the first and the last bar that were chosen. */
  onSelect: (places: [number, number]) => void
}

const HEIGHT = 170
/** Less is a click. */
const DRAG_PIXELS = 5
const LABEL_PIXELS = 90
/** Of the highest bar: what is drawn above a bar that is higher than is known. */
const UNKNOWN_SHARE = 0.06

/** Draws the bars into an element, as wide as that is. Whoever calls it destroys the drawing. */
export function drawChart(element: HTMLElement, { activity, onPoint, onSelect }: DrawOptions): uPlot {
  const { bars } = activity
  const colors = chartColors(element)
  const placeAt = (chart: uPlot, left: number) =>
    Math.min(Math.max(Math.round(chart.posToVal(left, 'x')), 0), bars.length - 1)
  const onDrag = (chart: uPlot) => {
    const { left, width } = chart.select
    if (width > 0) onSelect([placeAt(chart, left), placeAt(chart, left + width)])
  }
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    scales: {
      x: { time: false, range: [-0.6, bars.length - 0.4] },
      y: { range: (_chart, _min, max) => [0, Math.max(max, 1) * 1.05] },
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
    if (left >= 0 && chart.select.width === 0) onSelect([place, place])
  })
  return chart
}

function axesOf({ bars, unit }: Activity, { text, line }: ChartColors): uPlot.Axis[] {
  const axis = { stroke: text, ticks: { show: false }, font: '12px system-ui, sans-serif' }
  const labelAt = (place: number) => {
    const bar = bars[place]
    return bar ? barLabel(bar, unit) : ''
  }
  return [
    {
      ...axis,
      grid: { show: false },
      size: 28,
      splits: ({ width }) => everyPlace(bars.length, width),
      values: (_chart, places) => places.map(labelAt),
    },
    {
      ...axis,
      grid: { stroke: line, width: 1 },
      size: 56,
      incrs: WHOLE_STEPS,
      values: (_chart, counts) => counts.map(groupDigits),
    },
  ]
}

const WHOLE_STEPS = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat()

/** The places that have room for a label. */
function everyPlace(bars: number, width: number): number[] {
  const step = Math.ceil(bars / Math.max(1, Math.floor(width / LABEL_PIXELS)))
  return Array.from({ length: Math.ceil(bars / step) }, (_, index) => index * step)
}

/** For each series, from the highest to the lowest, how high it reaches: each covers the lower part of the one before. */
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
