import uPlot from 'uplot'
import type { Activity } from '../activity/read-activity.ts'
import { KINDS } from './event-kinds.ts'
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
  const { bars, unit } = activity
  const colors = colorsIn(element)
  const clampPlace = (value: number) => Math.min(Math.max(Math.round(value), 0), bars.length - 1)
  const onSetSelect = (chart: uPlot) => {
    const { left, width } = chart.select
    if (width > 0) {
      onSelect([clampPlace(chart.posToVal(left, 'x')), clampPlace(chart.posToVal(left + width, 'x'))])
    }
  }
  const axis = {
    stroke: colors.text,
    grid: { stroke: colors.line, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const chart = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      scales: {
        x: { time: false, range: [-0.6, bars.length - 0.4] },
        y: { range: (_chart, _min, max) => [0, Math.max(max, 1) * 1.05] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          splits: chart => everyPlace(bars.length, chart.width),
          values: (_chart, places) => places.map(place => labelAt(place)),
        },
        {
          ...axis,
          size: 56,
          incrs: WHOLE_STEPS,
          values: (_chart, counts) => counts.map(count => count.toLocaleString('en')),
        },
      ],
      cursor: { y: false, points: { show: false }, drag: { setScale: false, dist: DRAG_PIXELS } },
      series: [{}, ...seriesOf(colors)],
      hooks: {
        setSelect: [onSetSelect],
        setCursor: [({ cursor: { idx, left = -1 } }) => onPoint(left < 0 ? undefined : (idx ?? undefined))],
      },
    },
    stacked(activity),
    element,
  )
  chart.over.addEventListener('click', () => {
    const { left = -1 } = chart.cursor
    const place = clampPlace(chart.posToVal(left, 'x'))
    if (left >= 0 && chart.select.width === 0) onSelect([place, place])
  })
  return chart

  function labelAt(place: number): string {
    const bar = bars[place]
    return bar ? barLabel(bar, unit) : ''
  }
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

const drawBars = () => uPlot.paths.bars?.({ size: [0.8, 60], radius: 0 })

function seriesOf(colors: Colors): uPlot.Series[] {
  const paths = drawBars()
  const fills = [colors.unknown, ...KINDS.map(kind => colors.kinds.get(kind) ?? colors.text).toReversed()]
  return fills.map(fill => ({ fill: () => fill, width: 0, points: { show: false }, ...(paths && { paths }) }))
}

interface Colors {
  text: string
  line: string
  kinds: ReadonlyMap<string, string>
  unknown: string | CanvasPattern
}

/** A canvas knows no custom properties, so an element tells what they come to. */
function colorsIn(element: HTMLElement): Colors {
  const probe = element.appendChild(document.createElement('i'))
  const colorOf = (name: string) => {
    probe.dataset.kind = name
    return getComputedStyle(probe).backgroundColor
  }
  const text = colorOf('text')
  const colors = {
    text,
    line: colorOf('line'),
    kinds: new Map(KINDS.map(kind => [kind, colorOf(kind)])),
    unknown: hatched(text),
  }
  probe.remove()
  return colors
}

function hatched(color: string): string | CanvasPattern {
  const canvas = document.createElement('canvas')
  canvas.width = 6
  canvas.height = 6
  const context = canvas.getContext('2d')
  if (!context) return color
  context.strokeStyle = color
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(0, 6)
  context.lineTo(6, 0)
  context.stroke()
  return context.createPattern(canvas, 'repeat') ?? color
}
