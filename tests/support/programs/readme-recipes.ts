import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../../..')

export function readRecipes(section: string): Map<string, string> {
  const [, text = ''] = readFileSync(path.join(ROOT, 'README.md'), 'utf8').split(`\n## ${section}\n`)
  const [recipes = ''] = text.split('\n## ')
  return new Map(
    recipes
      .split('\n### ')
      .slice(1)
      .map(recipe => [
        recipe.slice(0, recipe.indexOf('\n')),
        [...recipe.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands).join(''),
      ]),
  )
}

/** Runs commands in the repository as a user's shell does, and returns all that they print. Throws if one fails. */
export async function runRecipe(commands: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', commands], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  })
  return `${stdout}${stderr}`
}
