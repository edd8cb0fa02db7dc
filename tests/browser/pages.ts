import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Scripts that return what is wrong with the page in which they run. */
export const LOW_CONTRAST = readFileSync(new URL('low-contrast.js', import.meta.url), 'utf8')
export const AXE = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}; axe.run()`

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
