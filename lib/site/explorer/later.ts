/** What the page needs only after its first rows: a script of its own, which the document lets browsers prefetch. */
export { isAddress as isChecksumRight } from 'viem'
export { drawChart } from './show/draw-chart.ts'
