import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { useBrowser } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

const stack = useLocalStack()
const browser = useBrowser()
const LOW_CONTRAST = readFileSync(new URL('low-contrast.js', import.meta.url), 'utf8')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WALLET = '0x1e0049783f008a0085193e00003d00cd54003c71'

const SCREENS = [
  ['a desktop', { viewport: { width: 1280, height: 900 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const
const VIEWS = [
  ['the latest events', ''],
  ['a wallet', `?wallet=${WALLET}&event=TransferSingle,TransferBatch`],
  ['batches', '?event=MintedBatch,TransferBatch'],
  ['nothing found', `?wallet=0x${'9'.repeat(40)}`],
  ['a mistyped address', `?from=0x${'9'.repeat(39)}`],
  ['refused parameters', '?creator=0x12&contract=0x1'],
] as const
const CASES = SCREENS.flatMap(([screen, options]) =>
  VIEWS.map(([view, query]) => ({ screen, options, view, query })),
)

/** Where screenshots are put; none are taken without it. */
const SCREENSHOTS = process.env.SCREENSHOTS

/** Opens a view with all that can be unfolded in it. */
async function openUnfolded(page: Page, query: string) {
  await page.goto(`${stack.baseUrl}/${query}`)
  await page.locator('.results[aria-busy="false"], .problem').first().waitFor()
  await page.locator('.activity[aria-busy="true"]').waitFor({ state: 'detached' })
  const folded = page.locator('button[aria-expanded="false"]')
  for (const name of ['Filters', 'Details']) {
    const first = folded.filter({ hasText: name, visible: true }).first()
    if (await first.isVisible()) await first.click()
  }
  const foldedText = page.locator('details:not([open]) > summary')
  while ((await foldedText.count()) > 0) await foldedText.first().click()
}

test.each(CASES)(
  '$view on $screen fits, is open to all, and stands out from its ground in the light and in the dark',
  async ({ screen, options, view, query }) => {
    const { page, complaints, origins } = await browser.open(options)
    await openUnfolded(page, query)
    const { violations } = await page.evaluate<AxeResults>(`${AXE}; axe.run()`)

    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate(LOW_CONTRAST)).toEqual([])
      await shoot(page, `${view} on ${screen}, ${colorScheme}`)
    }
    expect([...origins]).toEqual([stack.baseUrl])
    // A refused request is an error in the console by the browser's own doing.
    expect(complaints.filter(text => !/status of 400/.test(text))).toEqual([])
  },
)

async function shoot(page: Page, name: string) {
  if (!SCREENSHOTS) return
  await page.screenshot({ path: `${SCREENSHOTS}/${name.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
}

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
  expect(await page.evaluate('document.documentElement.classList.contains("dark-mode")')).toBe(true)
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
})
