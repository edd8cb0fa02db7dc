import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const NOT_OURS = new Set(['node_modules', '.git', '.local', '.serverless'])
const PAGES = globSync('**/*.md', { cwd: ROOT, exclude: name => NOT_OURS.has(path.basename(name)) })

/** Returns the anchors that GitHub derives from the page's headings. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutCode(readFileSync(page, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '')

/** Returns undefined if the link's file and heading exist. */
function problemOf(page: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? path.join(ROOT, page) : path.resolve(ROOT, path.dirname(page), file)
  if (!existsSync(target)) return `${page}: ${link} is not there`
  if (anchor === undefined || statSync(target).isDirectory() || !target.endsWith('.md')) return undefined
  return anchorsOf(target).has(anchor) ? undefined : `${page}: no heading for ${link}`
}

test('every link between pages of the documentation leads to a file and a heading', () => {
  const problems = PAGES.flatMap(page =>
    [...withoutCode(readFileSync(path.join(ROOT, page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter(link => !/^[a-z]+:/.test(link))
      .map(link => problemOf(page, link)),
  )

  expect(problems.filter(Boolean)).toEqual([])
  expect(PAGES.length).toBeGreaterThan(20)
})
