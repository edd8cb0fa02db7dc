import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** Returns the code blocks of a page, or of one of its sections, that are in this language. */
export const codeIn = (page: string, language: string, section?: string): string[] =>
  codeOf(section === undefined ? readPage(page) : sectionOf(page, section), language)

export function readRecipes(section: string): Map<string, string> {
  const [, ...recipes] = sectionOf('README.md', section).split('\n### ')
  return new Map(
    recipes.map(recipe => [recipe.slice(0, recipe.indexOf('\n')), codeOf(recipe, 'sh').join('')]),
  )
}

const readPage = (page: string) => readFileSync(path.join(ROOT, page), 'utf8')

const sectionOf = (page: string, section: string) =>
  readPage(page).split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''

const codeOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code)

/** Runs commands in the repository as a user's shell does, and returns all that they print. Throws if one fails. */
export async function runRecipe(commands: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', commands], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  })
  return `${stdout}${stderr}`
}
