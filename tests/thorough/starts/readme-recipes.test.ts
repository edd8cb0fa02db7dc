import path from 'node:path'
import { type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { readRecipes, runRecipe } from '../../support/programs/readme-recipes.ts'
import { engineName } from '../../support/store/engine-name.ts'

const LOCAL_STACK = 'http://127.0.0.1:3000'
const { folder, runReady, stopAll } = useLocalStacks()

let stack: PlacedStack
beforeAll(async () => {
  stack = await runReady(['--engine', engineName(), '--data-dir', path.join(folder, 'recipes')])
})
afterAll(stopAll)

const recipes = readRecipes('Recipes')

/** Uses this test's stack. The recipe's files are created in the test's folder. */
const follow = (recipe: string) =>
  runRecipe(
    recipe
      .replaceAll(LOCAL_STACK, stack.url)
      .replaceAll('sqlite:', `sqlite:${folder}/`)
      .replaceAll('npm run', 'npm run --silent'),
  )

const SHOWS: Record<string, RegExp> = {
  Wallet: /^\[\{"event":.*"network":"base".*\}\]\[\{"event":"Transfer.*\}\]$/s,
  Marketplace: /^HTTP\/1\.1 200 OK.*X-Total-Count: 5\r\n.*\[\{"event":.*"tokenIds":\["1"\]/s,
  Accountant: /^(?=.*^1: 5$)(?=.*^3: 0$)(?=.*^4: 9$)(?=.*^5: 197$)/ms,
  'Data engineer': /events\.sqlite has \d+ events, and is up to date$/m,
  Operator: /^\{"version":"[^"]+","networks":\[\]\}.*\d+ checks passed$/ms,
  'AI agent': /\/v1\/user-events\//,
}

test.each(Object.entries(SHOWS))('the recipe for "%s" runs as it stands', async (title, shown) => {
  const recipe = recipes.get(title) ?? ''

  expect(recipe).not.toBe('')
  expect(await follow(recipe)).toMatch(shown)
})

test('every recipe of the README is tried here', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(SHOWS))
})
