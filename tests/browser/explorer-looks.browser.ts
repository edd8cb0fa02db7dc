import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { SCREENS, settled, shoot, violationsIn, WALLET } from './pages.ts'
import { originsOf, useBrowser } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

const stack = useLocalStack()
const browser = useBrowser()
const VIEWS = [
  ['the latest events', ''],
  ['a wallet', `?wallet=${WALLET}&event=TransferSingle,TransferBatch`],
  ['batches', '?event=MintedBatch,TransferBatch'],
  ['a wallet of a local chain', '?wallet=0x90f79bf6eb2c4f870365e785982e1f101e93b906'],
  ['a transaction', '?transactionHash=0x1a05f2801ace477c342d9b5ec7aea6f7a14ae4c52d6f4fda56704b3718e6e256'],
  ['the status', '?view=status'],
  ['nothing found', `?wallet=0x${'9'.repeat(40)}`],
  ['a mistyped address', `?from=0x${'9'.repeat(39)}`],
  ['refused parameters', '?creator=0x12&contract=0x1'],
] as const
const CASES = SCREENS.flatMap(([screen, options]) =>
  VIEWS.map(([view, query]) => ({ screen, options, view, query })),
)

async function unfold(page: Page) {
  const folded = page.locator('button[aria-expanded="false"]')
  for (const name of ['Filters', 'Details']) {
    const first = folded.filter({ hasText: name, visible: true }).first()
    if (await first.isVisible()) await first.click()
  }
  const foldedText = page.locator('details:not([open]) > summary')
  while ((await foldedText.count()) > 0) await foldedText.first().click()
}

/**
 * The delay of each response, doubled for counts. The responses therefore arrive one after another, and the test sees
 * whether one part of the page moves another part.
 */
const DELAY_MS = 300
/** Google calls a layout shift below 0.1 good (https://web.dev/articles/cls). */
const MOST_SHIFT = 0.02
const KEEP_SHIFTS = `window.shifts = []
new PerformanceObserver(list => shifts.push(...list.getEntries().map(entry => ({ value: entry.value,
  moved: entry.sources.map(({ node }) => node?.className || node?.nodeName) }))))
  .observe({ type: 'layout-shift', buffered: true })`

test.each(CASES)(
  '$view on $screen stays in place when the answers come, fits, is open to all, and stands out in the light and in the dark',
  async ({ screen, options, view, query }) => {
    const { page, complaints, requested } = await browser.open(options)
    await page.addInitScript(KEEP_SHIFTS)
    await page.route('**/v1/**', async route => {
      await setTimeout(/count=true/.test(route.request().url()) ? 2 * DELAY_MS : DELAY_MS)
      await route.continue()
    })
    await page.goto(`${stack.baseUrl}/${query}`)
    await settled(page)
    await setTimeout(DELAY_MS)
    const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('shifts')
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    await unfold(page)

    expect([sum < MOST_SHIFT, shifts]).toEqual([true, shifts])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsIn(page)).toEqual([])
      await shoot(page, `${view} on ${screen}, ${colorScheme}`)
    }
    expect(originsOf(requested)).toEqual([stack.baseUrl])
    // Browsers log a response with status 400 as an error in the console.
    expect(complaints.filter(text => !/status of 400/.test(text))).toEqual([])
  },
)

test('the theme that is chosen is worn by both pages, also after coming back', async () => {
  const { page } = await browser.open({ colorScheme: 'light' })
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  await page.goto(`${stack.baseUrl}/`)
  const light = await ground()
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()

  expect(await ground()).not.toBe(light)
  await page.getByRole('link', { name: 'Documentation' }).first().click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  expect(await ground()).not.toBe(light)
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
})
