/**
 * Code that the page needs only after its first rows, in a separate script that the document lets browsers prefetch.
 */
export { askAgain } from './activity/ask-again.ts'
export { countActivity } from './activity/count-activity.ts'
export { drawChart } from './show/draw-chart.ts'
export { explainChecksum } from './show/explain-checksum.ts'
export { findQuestion } from './state/find-question.ts'
export { readFile } from './state/read-file.ts'
