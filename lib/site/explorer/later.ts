/** The second script: the code that is needed only after the first rows, and that browsers can prefetch. */
export { askAgain } from './activity/ask-again.ts'
export { askLastTime, countActivity } from './activity/count-activity.ts'
export { drawChart } from './show/draw-chart.ts'
export { explainChecksum } from './show/explain-checksum.ts'
export { findQuestion } from './state/find-question.ts'
export { readFile } from './state/read-file.ts'
