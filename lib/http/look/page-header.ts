interface Named {
  /** Where the page's files are, from the page: `docs` or `page`. */
  files: string
  /** Which of the links leads to the page itself. */
  current: string
}

const LINKS = [
  ['./', 'Events'],
  ['docs', 'Documentation'],
  ['v1/status', 'Status'],
] as const

/** What stands in the `head` of each page; names are relative to it, since a stage or a path mapping may stand before. */
export const pageHead = ({ files }: Named): string => `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${files}/icon.svg" type="image/svg+xml">
<link rel="alternate" type="text/plain" href="llms.txt" title="For programs that read text">
<link rel="stylesheet" href="${files}/look.css">
<script src="${files}/theme.js"></script>`

/** The bar above each page: its name, the ways to the others, and the theme. */
export const pageHeader = ({ files, current }: Named): string => `<header class="bar">
<h1><a href="./"><img src="${files}/icon.svg" alt="" width="24" height="24">Blockchain events</a></h1>
<nav aria-label="Pages">
${LINKS.map(([href, name]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${name}</a>`).join('\n')}
</nav>
<button id="theme" type="button" hidden></button>
</header>`
