import { setTimeout } from 'node:timers/promises'
import type { EventRecord } from '../../lib/events/record.ts'
import { useLocalStacks } from '../support/programs/local-stack.ts'
import { until } from '../support/runner/until.ts'
import { useBrowser } from './use-browser.ts'

const { folder, runReady } = useLocalStacks()
const browser = useBrowser()

let url: string
beforeAll(async () => {
  const stack = await runReady(['--live', '--reorganize-every', '6', '--data-dir', folder])
  url = stack.url
})

async function feedFromNow(): Promise<URL> {
  const { headers } = await fetch(`${url}/v1/changes?from=now`)
  const [, next = ''] = /<([^>]+)>/.exec(headers.get('link') ?? '') ?? []
  return new URL(next, url)
}

async function hasRemoval(feed: URL): Promise<boolean> {
  const changes = (await (await fetch(feed)).json()) as { change: string }[]
  return changes.some(({ change }) => change === 'removed')
}

test('rows, total and chart follow the chain without a reload, through a reorganisation', async () => {
  const feed = await feedFromNow()
  const { page, complaints } = await browser.open()
  await page.goto(`${url}/`)
  await page.evaluate('window.isStillOpen = true')
  const count = page.locator('.results .count')
  await count.filter({ hasText: /of \d/ }).waitFor()
  const [before, bars] = [
    await count.textContent(),
    await page.locator('.chart-room').getAttribute('aria-label'),
  ]

  await until(async () => (await count.textContent()) !== before)
  await until(async () => (await page.locator('.chart-room').getAttribute('aria-label')) !== bars)
  expect(await page.locator('.tag').first().textContent()).toBe('local chain')

  await until(() => hasRemoval(feed))
  // Repeats until both answers are equal, because a block may be added between the test's and the page's request.
  await until(async () => {
    const answer = await fetch(`${url}/v1/token-events?limit=50&count=true`)
    const records = (await answer.json()) as EventRecord[]
    const total = answer.headers.get('x-total-count')
    const shown = await count.textContent()
    const newest = await page.locator('.results time').first().getAttribute('datetime')
    return shown?.startsWith(`${records.length} of ${total}`) === true && newest === records[0]?.createdAt
  })
  expect(await page.evaluate('window.isStillOpen')).toBe(true)
  expect(complaints).toEqual([])
})

test('the total follows the chain although the first page of the oldest events stays the same', async () => {
  const { page, complaints } = await browser.open()
  await page.goto(`${url}/?createdAt=asc`)
  const count = page.locator('.results .count')
  await count.filter({ hasText: /of \d/ }).waitFor()
  const before = await count.textContent()

  await until(async () => (await count.textContent()) !== before)
  expect(complaints).toEqual([])
})

const RELOAD_AT_MORE_ROWS = `{
  const line = document.querySelector('.results .count')
  const reload = () => /^(?!50 )\\d+ of /.test(line.textContent) && window.location.reload()
  new MutationObserver(reload).observe(line, { characterData: true, subtree: true })
}`

test('rows beyond the first page stay after a reload in the moment when they appear', async () => {
  const { page, complaints } = await browser.open()
  await page.goto(`${url}/`)
  const count = page.locator('.results .count')
  await until(async () => /^50 of /.test((await count.textContent()) ?? ''))
  const loaded = page.waitForEvent('load')
  await page.evaluate(RELOAD_AT_MORE_ROWS)
  await page.getByRole('button', { name: 'older events' }).click()
  await loaded
  await count.filter({ hasText: / of \d/ }).waitFor()
  const shown = await count.textContent()
  // If the page still polled, it would ask again after two seconds.
  await setTimeout(4000)

  expect(shown).not.toMatch(/^50 of /)
  expect(await count.textContent()).toBe(shown)
  expect(complaints).toEqual([])
})
