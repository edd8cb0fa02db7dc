import { createHash } from 'node:crypto'
import { KEPT_FOR_MINUTES } from '../../http/cache-control.ts'
import { type HttpResponse, textResponse } from '../../http/response.ts'
import type { LOOK_FILES } from './page-files.ts'
import { contentName, type ReadAsset } from './read-asset.ts'

/** An HTML page without the parts that all pages share. */
interface Page<Name extends string> {
  title: string
  description: string
  /** The folder of the page's files, relative to the page: `docs` or `page`. */
  folder: string
  /** The `href` in `LINKS` that leads to this page. */
  current: string
  styles: Name
  script: Name
  readAsset: ReadAsset<Name | keyof typeof LOOK_FILES>
  /** Additional lines for `head`. */
  head?: string
  /** The link that skips the bar at the top, as HTML. */
  skip: string
  /** The content below the bar, as HTML. */
  body: string
}

const LINKS = [
  ['./', 'Events'],
  ['docs', 'Documentation'],
  ['./?view=status', 'Status'],
] as const

/**
 * Styles and the theme script are inline, so no request delays the first paint. The name of each linked file contains
 * a digest of its content. Links are relative, because the path may begin with a stage or a path mapping.
 */
export async function pageResponse<Name extends string>(
  page: Page<Name>,
  baseUrl: string,
): Promise<HttpResponse> {
  const { title, description, folder, current, styles, script, readAsset, head = '', skip, body } = page
  const [look, own, theme, ...files] = await Promise.all([
    readAsset('look.css'),
    readAsset(styles),
    readAsset('theme.js'),
    ...['icon.svg' as const, script].map(
      async name => `${folder}/${contentName(name, await readAsset(name))}`,
    ),
  ])
  const [icon = '', loaded = ''] = files
  const style = look + own
  const html = `<!doctype html>
<html lang="en">
<head>
<title>${title}</title>
<meta name="description" content="${description}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="alternate" type="text/plain" href="llms.txt" title="For programs that read text">
<style>${style}</style>
<script>${theme}</script>
<script defer src="${loaded}"></script>
${head}</head>
<body>
${skip}
<header class="bar">
<h1><a href="./"><img src="${icon}" alt="" width="24" height="24">Blockchain events</a></h1>
<nav aria-label="Pages">
${LINKS.map(([href, name]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${name}</a>`).join('\n')}
</nav>
<button id="theme" type="button" hidden>Theme: system</button>
</header>
${body}
</body>
</html>
`
  return textResponse('text/html; charset=utf-8', html, {
    'Cache-Control': KEPT_FOR_MINUTES,
    'Content-Security-Policy': securityPolicy({ style, script: theme, baseUrl }),
    'Referrer-Policy': 'no-referrer',
  })
}

/**
 * Allows only files from this service, requests to this service, and inline elements whose digests the policy contains.
 */
const securityPolicy = ({ style, script, baseUrl }: Record<'style' | 'script' | 'baseUrl', string>) =>
  [
    "default-src 'none'",
    `script-src 'self' ${digestOf(script)}`,
    `style-src 'self' ${digestOf(style)}`,
    "img-src 'self'",
    ["connect-src 'self'", URL.parse(baseUrl)?.origin ?? ''].join(' ').trimEnd(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Returns a hash source (Content Security Policy Level 3, 2.3.1), which allows elements with exactly this text. */
const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
