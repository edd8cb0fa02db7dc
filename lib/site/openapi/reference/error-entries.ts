import { PROBLEMS, type ProblemKind, type ProblemRow } from '../../../http/problems.ts'
import { EXPLANATIONS, type Explanation, THROTTLED } from '../explanations.ts'
import type { OpenApiDocument } from '../openapi-document.ts'
import { type Answer, answersOf, headersLine, mediaEntry } from './answer-entries.ts'
import { type Html, html } from './html.ts'

/** The entries of all errors: cause and remedy. An entry's id is the last segment of the error's `type`. */
export function errorEntries(document: OpenApiDocument): Html[] {
  const answers = Object.values(document.paths).flatMap(({ get }) => answersOf(document, get))
  const own = Object.entries(PROBLEMS).map(([kind, row]) =>
    errorEntry(kind, { ...row, ...EXPLANATIONS[kind as ProblemKind] }, answers),
  )
  return [...own, errorEntry('too-many-requests', THROTTLED, answers)]
}

function errorEntry(
  id: string,
  { status, title, cause, remedy }: ProblemRow & Explanation,
  answers: readonly Answer[],
): Html {
  const answer = answers.find(({ kind }) => kind === id)
  return html`
<article class="entry" id="${id}">
<h3><a href="#${id}"><code class="status" data-class="${String(status)[0]}">${status}</code> ${title}</a></h3>
<dl class="explanation"><dt>Cause</dt><dd>${cause}</dd><dt>Remedy</dt><dd>${remedy}</dd></dl>
${answer?.isShared && html`${headersLine(answer.response)}${Object.entries(answer.response.content ?? {}).map(mediaEntry)}`}
</article>`
}
