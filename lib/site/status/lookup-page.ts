import type { HtmlPage } from '../look/html-response.ts'
import type { PAGE_FILES } from '../look/page-files.ts'
import { pageFrame } from '../look/page-frame.ts'
import { contentName, type ReadAsset } from '../look/read-asset.ts'

const NAMED = { folder: 'page', current: './', styles: 'explorer.css', script: 'explorer.js' } as const

interface LookupPage {
  readAsset: ReadAsset<keyof typeof PAGE_FILES>
  /** Contracts whose events were created on a local chain. The page labels these events. */
  localContracts: readonly string[]
  /** Whether the page asks for new events by itself. */
  isLive: boolean
}

/** Returns the explorer page as HTML. Its script (lib/site/explorer) renders the content. */
export async function lookupPage({ readAsset, localContracts, isLive }: LookupPage): Promise<HtmlPage> {
  const { head, header, inlined } = await pageFrame({ ...NAMED, readAsset })
  const chart = contentName('chart.js', await readAsset('chart.js'))
  const locals = localContracts.length > 0 ? ` data-local-contracts="${localContracts.join(' ')}"` : ''
  return { html: htmlOf({ head, header, chart, data: `${locals}${isLive ? ' data-live' : ''}` }), inlined }
}

const htmlOf = ({
  head,
  header,
  chart,
  data,
}: {
  head: string
  header: string
  chart: string
  /** The attributes that tell the script about the local chain. */
  data: string
}) => `<!doctype html>
<html lang="en">
<head>
<title>Blockchain events</title>
<meta name="description" content="What happened on chain to this wallet, or to this token?">
${head}
<link id="chart" rel="prefetch" href="page/${chart}">
</head>
<body>
<a class="skip" href="#events">Skip to the events</a>
${header}
<main id="explorer"${data}>
<noscript><p>A script shows the events. Without the script, use the requests in the <a href="docs">documentation</a>.</p></noscript>
</main>
</body>
</html>
`
