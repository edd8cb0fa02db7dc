import type { HtmlPage } from '../look/html-response.ts'
import { type DOCS_FILES, WRITTEN_BASE_URL } from '../look/page-files.ts'
import { pageFrame } from '../look/page-frame.ts'
import type { ReadAsset } from '../look/read-asset.ts'

const NAMED = { folder: 'docs', current: 'docs', styles: 'docs.css', script: 'docs.js' } as const

/**
 * Returns the documentation page of the service at `baseUrl`. The build (`npm run openapi`) has written the whole
 * reference from the OpenAPI document. The page's script only sends requests.
 */
export async function docsPage(
  readAsset: ReadAsset<keyof typeof DOCS_FILES>,
  baseUrl: string,
): Promise<HtmlPage> {
  const { head, header, inlined } = await pageFrame({ ...NAMED, readAsset })
  const written = await readAsset('reference.html')
  const reference = written.replaceAll(WRITTEN_BASE_URL, () => inHtml(baseUrl))
  return { html: htmlOf({ head, header, reference }), inlined }
}

const htmlOf = ({
  head,
  header,
  reference,
}: Record<'head' | 'header' | 'reference', string>) => `<!doctype html>
<html lang="en">
<head>
<title>Documentation · Blockchain events</title>
<meta name="description" content="What happened on chain to this wallet, or to this token? The reference of the service.">
${head}
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
${header}
<div class="page">
${reference}</div>
<p id="told" class="unseen" role="status"></p>
</body>
</html>
`

/** Escapes a text for HTML. The base URL comes from the gateway's event or a setting, so it must be escaped. */
const inHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
