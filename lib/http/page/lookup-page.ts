/** The page for people. Its files are named relative to it: the service may stand behind a stage or a path mapping. */
export const lookupPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Blockchain events</title>
<meta name="description" content="What happened on chain to this wallet, or to this token?">
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="page/page.css">
</head>
<body>
<main>
<h1>Blockchain events</h1>
<p>What happened on chain to this wallet, or to this token?</p>
<nav><a href="docs">Documentation</a> <a href="v1/status">Status</a> <a href="v1/openapi.json">OpenAPI document</a></nav>
</main>
</body>
</html>
`
