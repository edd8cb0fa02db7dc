import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'

const AXE = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}; axe.run()`

/** Returns the violations of accessibility rules in the page as it looks now, such as text without enough contrast. */
export async function violationsIn(page: Page) {
  const { violations } = await page.evaluate<AxeResults>(AXE)
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

export const SCREENS = [
  ['a desktop', { viewport: { width: 1280, height: 900 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const

/** All events of this wallet come from public chains, and they fill more than two pages. */
export const WALLET = '0x1e0049783f008a0085193e00003d00cd54003c71'

/** Waits until the explorer has drawn its rows and its chart. */
export async function settled(page: Page) {
  await page.locator('.results[aria-busy="false"], .problem').first().waitFor()
  await page.locator('.activity[aria-busy="true"]').waitFor({ state: 'detached' })
}

/** Takes a screenshot if `SCREENSHOTS` names the folder for screenshots. */
export async function shoot(page: Page, name: string) {
  const { SCREENSHOTS } = process.env
  if (!SCREENSHOTS) return
  await page.screenshot({ path: `${SCREENSHOTS}/${name.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
}

/** Returns the elements that are visible and too small to touch (WCAG 2.2, 2.5.8), as text. */
export const tooSmall = (targets: Locator): Promise<string[]> =>
  targets.evaluateAll(all =>
    all
      .filter(target => target.checkVisibility() && target.closest('p.quiet') === null)
      .map(target => [target.outerHTML, (target.closest('label') ?? target).getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => Math.min(width, height) < 24)
      .map(([html]) => html),
  )
