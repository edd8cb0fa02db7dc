import { pageHead, pageHeader } from '../look/page-header.ts'

const NAMED = { files: 'page', current: './' }

/** The page for people, as it is until its script (lib/explorer) has drawn it. */
export const lookupPage = (): string => `<!doctype html>
<html lang="en">
<head>
<title>Blockchain events</title>
<meta name="description" content="What happened on chain to this wallet, or to this token?">
${pageHead(NAMED)}
<link rel="stylesheet" href="page/explorer.css">
<script defer src="page/explorer.js"></script>
</head>
<body>
<a class="skip" href="#explorer">Skip to the events</a>
${pageHeader(NAMED)}
<main id="explorer" tabindex="-1">
<noscript><p>Events are shown by a script. The <a href="docs">documentation</a> says how to ask for them without it.</p></noscript>
</main>
</body>
</html>
`
