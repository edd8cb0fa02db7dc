import type { drawChart } from './draw-chart.ts'

/** The exports of the chart's script. */
interface Drawing {
  drawChart: typeof drawChart
}

/**
 * Loads the script that draws charts, which is a third of the page's code. The document links to the script's file.
 * Rejects if the file cannot be loaded.
 */
export async function loadDrawing(): Promise<Drawing> {
  const { href } = document.querySelector<HTMLLinkElement>('link#chart') ?? {}
  if (href === undefined) throw new Error('The document names no script of the chart')
  return import(href)
}
