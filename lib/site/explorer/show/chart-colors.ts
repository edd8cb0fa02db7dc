import { KINDS } from '../activity/read-activity.ts'

export interface ChartColors {
  text: string
  line: string
  kinds: ReadonlyMap<string, string>
  /** The hatching at the top of a bar whose count is only a lower bound. */
  unknown: string | CanvasPattern
}

/** A canvas cannot use CSS custom properties, so the colours are read from a temporary element in `element`. */
export function chartColors(element: HTMLElement): ChartColors {
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
