import type { HtmlPage } from './html-response.ts'
import type { LOOK_FILES } from './page-files.ts'
import { contentName, type ReadAsset } from './read-asset.ts'

interface Framed<Name extends string> {
  /** The folder of the page's files, relative to the page: `docs` or `page`. */
  folder: string
  /** The link to the current page, as in `LINKS`. */
  current: string
  /** The page's own styles and script. */
  styles: Name
  script: Name
  readAsset: ReadAsset<Name | keyof typeof LOOK_FILES>
}

/** The parts that all pages share. */
interface Frame {
  /** For the `head`. */
  head: string
  /** The bar at the top of the page: the service's name, links to the other pages, and the choice of theme. */
  header: string
  inlined: HtmlPage['inlined']
}

const LINKS = [
  ['./', 'Events'],
  ['docs', 'Documentation'],
  ['./?view=status', 'Status'],
] as const

/**
 * Returns the frame of a page. Styles and the theme script are inline, so no request delays the first paint. The names
 * of linked files contain a digest of the file's content. Links are relative, because the path may begin with a stage
 * or a path mapping.
 */
export async function pageFrame<Name extends string>(framed: Framed<Name>): Promise<Frame> {
  const { folder, current, styles, script, readAsset } = framed
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
  return {
    head: `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="alternate" type="text/plain" href="llms.txt" title="For programs that read text">
<style>${style}</style>
<script>${theme}</script>
<script defer src="${loaded}"></script>`,
    header: headerOf({ icon, current }),
    inlined: { styles: [style], scripts: [theme] },
  }
}

const headerOf = ({ icon, current }: { icon: string; current: string }) => `<header class="bar">
<h1><a href="./"><img src="${icon}" alt="" width="24" height="24">Blockchain events</a></h1>
<nav aria-label="Pages">
${LINKS.map(([href, name]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${name}</a>`).join('\n')}
</nav>
<button id="theme" type="button" hidden>Theme: system</button>
</header>`
