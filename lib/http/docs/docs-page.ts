import { pageHead, pageHeader } from '../look/page-header.ts'
import { PROBLEMS, type ProblemKind, type ProblemRow } from '../problems.ts'
import { EXPLANATIONS, type Explanation } from './explanations.ts'
import { THROTTLED } from './throttled.ts'

const NAMED = { files: 'docs', current: 'docs' }

/**
 * The documentation page. What it says of errors stands in it as text, under the names that the `type` of
 * an error ends with; the reference of the operations is drawn by Swagger UI from the OpenAPI document.
 */
export const docsPage = (): string => `<!doctype html>
<html lang="en">
<head>
<title>Documentation · Blockchain events</title>
<meta name="description" content="What happened on chain to this wallet, or to this token? The reference of the service.">
${pageHead(NAMED)}
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/docs.css">
<script defer src="docs/swagger-ui-bundle.js"></script>
<script defer src="docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
${pageHeader(NAMED)}
<nav class="parts" aria-label="On this page"><a href="#reference">Reference</a> <a href="#errors">Errors</a> <a href="v1/openapi.json">OpenAPI document</a></nav>
<main>
<div id="reference"><noscript><p>The reference is drawn by a script. The <a href="v1/openapi.json">OpenAPI document</a> says the same.</p></noscript></div>
<section id="errors">
<h2>Errors</h2>
<p>Every error of the service is a JSON object whose <code>type</code> is the address of one of these entries. Its <code>instance</code> is the request’s id. Only the last entry is not the service’s: the body is <code>${JSON.stringify(THROTTLED.body)}</code>, which has neither.</p>
${Object.entries(PROBLEMS)
  .map(([kind, row]) => article(kind, { ...row, ...EXPLANATIONS[kind as ProblemKind] }))
  .join('\n')}
${article('too-many-requests', THROTTLED)}
</section>
</main>
</body>
</html>
`

function article(id: string, { status, title, cause, remedy }: ProblemRow & Explanation): string {
  return `<article id="${id}">
<h3><a href="#${id}"><code>${status}</code> ${title}</a></h3>
<dl><dt>Cause</dt><dd>${cause}</dd><dt>Remedy</dt><dd>${remedy}</dd></dl>
</article>`
}
