import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { until } from '../support/runner/until.ts'
import { SCREENS, settled, tooSmall, WALLET } from './pages.ts'
import type { WatchedPage } from './use-browser.ts'
import { rowsOf, shownIds, useExplorer } from './use-explorer.ts'

const { load, open, client } = useExplorer()
/**
 * All events of this wallet come from a local chain. They cover every relation that the explorer shows, such as "Sent".
 */
const LOCAL_WALLET = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const ZERO = `0x${'0'.repeat(40)}`

const factOf = (page: Page, name: string) =>
  page.locator('.facts div', { has: page.locator('dt', { hasText: name }) }).locator('dd')

describe.each(SCREENS)('on %s', (_, screen) => {
  test.each([
    ['Received', { to: LOCAL_WALLET }],
    ['Sent', { from: LOCAL_WALLET }],
    ['Minted', { from: ZERO, to: LOCAL_WALLET }],
    ['Burned', { from: LOCAL_WALLET, to: ZERO }],
    ['Operated', { operator: LOCAL_WALLET }],
  ])('%s is one number in the summary, on the badges, and a click away', async (name, filters) => {
    const { page } = await open(`?wallet=${LOCAL_WALLET}`, screen)
    const [, told] =
      new RegExp(`${name} (\\d+)`).exec((await factOf(page, 'Transfers').textContent()) ?? '') ?? []
    await page.getByRole('navigation', { name: 'Relation' }).getByRole('link', { name }).click()
    await page.waitForURL(url =>
      Object.entries(filters).every(([key, value]) => url.searchParams.get(key) === value),
    )
    await settled(page)
    const { total } = await client().tokenEvents({ ...filters, user: LOCAL_WALLET, limit: 1, count: true })
    const more = page.getByRole('button', { name: 'older events' })
    while (await more.isVisible()) {
      await more.click()
      await settled(page)
    }

    expect(total).toBeGreaterThan(0)
    expect(told).toBe(String(total))
    await page.locator('.count', { hasText: ` of ${total}` }).waitFor()
    expect(await page.locator('.relations [aria-current]').textContent()).toBe(name)
    expect(await rowsOf(page).count()).toBe(total)
    const badged = rowsOf(page).filter({ has: page.locator('.badge', { hasText: name }) })
    expect(await badged.count()).toBe(total)
  })

  test('a wallet’s first row and downloads are on the first screen', async () => {
    for (const wallet of [WALLET, LOCAL_WALLET]) {
      const { page } = await open(`?wallet=${wallet}`, screen)
      const row = await rowsOf(page).first().boundingBox()
      const formats = await page.locator('.formats').boundingBox()

      expect(row?.y).toBeLessThan(screen.viewport.height - 24)
      expect(formats?.y).toBeLessThan(screen.viewport.height)
    }
  })

  test('a mint and its transfer are one row, with both records in its details', async () => {
    const [mint] = (await client().tokenEvents({ event: 'Minted', limit: 1 })).records
    const { page } = await open(`?address=${mint?.address}&network=${mint?.network}`, screen)
    const row = rowsOf(page).and(page.locator(`[data-ids~="${mint?.id}"]`))
    await row.getByRole('button', { name: 'Details' }).click()
    const ids = String(await row.getAttribute('data-ids')).split(' ')

    expect(ids).toHaveLength(2)
    expect(await page.locator('.details .record').count()).toBe(2)
    expect(await row.locator('.token').textContent()).toMatch(/^\+1 × #\d+ minted/)
    expect(await page.locator('.details').textContent()).toContain('TransferSingle')
    expect(await page.locator('.details').textContent()).toContain('bucketHash')
  })

  test('the summary stands above the rows and says what they come to, without a request', async () => {
    const { page, requested } = await open(`?wallet=${LOCAL_WALLET}&event=TransferBatch`, screen)
    const summary = await page.locator('.summary').boundingBox()
    const row = await rowsOf(page).first().boundingBox()
    const { records } = await client().userEvents(LOCAL_WALLET, { event: 'TransferBatch', limit: 50 })

    expect(records.length).toBeLessThan(50)
    expect(requested.filter(url => url.includes('/v1/'))).toHaveLength(2)
    expect(summary?.y).toBeLessThan(row?.y ?? 0)
    expect(await page.locator('.summary summary').textContent()).toContain(`of all ${records.length} events`)
    expect(await factOf(page, 'Kinds').textContent()).toBe(`Batch transfer ${records.length}`)
    expect(await factOf(page, 'Token contracts').textContent()).toMatch(
      new RegExp(`^${new Set(records.map(({ address }) => address)).size}\\D`),
    )
  })

  test('a transaction is told in sentences, in the order of the chain, without filters', async () => {
    const [mint] = (await client().tokenEvents({ event: 'MintedBatch', limit: 1 })).records
    const transactionHash = mint?.transactionHash ?? ''
    const { records } = await client().tokenEvents({ transactionHash, createdAt: 'asc' })
    const { page } = await open(`?transactionHash=${mint?.transactionHash}`, screen)
    const places = await page.locator('.place').allTextContents()

    expect(places.join(', ')).toBe(records.map(({ logIndex }) => logIndex).join(', '))
    expect(await page.locator('.sentence p').first().textContent()).toMatch(
      /^0x\S+ received [\d,]+ tokens with \d+ ids of 0x\S+, newly minted\.$/,
    )
    expect(await page.locator('.filters, .relations, .activity').count()).toBe(0)
  })

  test('events of a local chain are labelled, and only those of public chains lead to public explorers', async () => {
    const { page } = await open(`?wallet=${LOCAL_WALLET}`, screen)
    await page.getByRole('button', { name: 'Details' }).first().click()
    const { page: real } = await open(`?wallet=${WALLET}`, screen)
    const { records } = await client().userEvents(WALLET, { limit: 50 })

    expect(await page.locator('.tag').count()).toBe(await rowsOf(page).count())
    expect(await page.locator('.summary .note').textContent()).toContain('from a local chain')
    expect(await page.locator('.away').count()).toBe(0)
    expect(await real.locator('.tag').count()).toBe(0)
    const networks = new Set(records.map(({ network }) => network))
    expect(await real.locator('.elsewhere .away').count()).toBe(networks.size)
  })

  test('back and forward lead to the rows that were left, and a reload keeps the pages that were read', async () => {
    const { page } = await open(`?wallet=${WALLET}`, screen)
    await page.getByRole('button', { name: 'older events' }).click()
    await rowsOf(page).nth(99).waitFor()
    await settled(page)
    const row = rowsOf(page).nth(70)
    await row.evaluate(element => element.scrollIntoView({ block: 'start' }))
    const topOf = async () => Math.round((await row.boundingBox())?.y ?? Number.NaN)
    const before = await topOf()
    await row.locator('.parties a').first().click()
    await page.waitForURL(url => url.searchParams.get('wallet') !== WALLET)
    await settled(page)
    expect(await page.evaluate('scrollY')).toBe(0)
    const opened = await shownIds(page)
    await page.goBack()
    await rowsOf(page).nth(99).waitFor()

    await until(() => page.evaluate('scrollY > 1000'))
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1)
    await page.reload()
    await rowsOf(page).nth(99).waitFor()
    await settled(page)
    await until(() => page.evaluate('scrollY > 1000'))
    expect(await rowsOf(page).count()).toBe(100)
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1)
    await page.goForward()
    await until(async () => (await shownIds(page)).join() === opened.join())
  })

  test('the status says up to which block each network is indexed, final and audited', async () => {
    const blockAt = (blockNumber: number) => ({ blockNumber, timestamp: '2025-08-13T10:20:15.000Z' })
    const networks = [
      {
        ...{ network: 'base', indexedThrough: blockAt(34_160_634), finalizedBlock: 34_158_834 },
        ...{ auditedThrough: blockAt(34_158_000), lagSeconds: 125 },
      },
      { network: 'polygon', indexedThrough: blockAt(7), lagSeconds: 3 },
    ]
    const json = { version: '1.2.3', networks }
    const prepare = ({ page }: WatchedPage) => page.route('**/v1/status', route => route.fulfill({ json }))
    const { page } = await load('', { ...screen, prepare })
    await page.getByRole('link', { name: 'Status' }).click()
    const rows = page.locator('.status tbody tr')
    await rows.nth(1).waitFor()

    expect(await rows.nth(0).textContent()).toMatch(/Base.*34,160,634.*34,158,834.*34,158,000.*2 minutes/)
    expect(await rows.nth(1).textContent()).toMatch(/Polygon.*block 7.*unknown.*unknown.*3 seconds/)
    expect(await page.locator('.bar [aria-current]').textContent()).toBe('Status')
  })
})

test('a status that could not be read is tried again on request', async () => {
  const prepare = ({ page }: WatchedPage) => page.route('**/v1/status', route => route.abort())
  const { page } = await load('?view=status', { prepare })
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/v1/status')
  await again.click()
  await page.getByRole('heading', { name: 'No network is indexed' }).waitFor()

  expect(await page.evaluate('document.activeElement.id')).toBe('subject')
})

test('“Skip to the events” leads to them: the next stop is in the first row', async () => {
  const { page } = await open(`?wallet=${WALLET}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('events')
  await page.keyboard.press('Tab')

  const first = await rowsOf(page).first().getAttribute('data-id')
  expect(await page.evaluate('document.activeElement.closest("tr").dataset.id')).toBe(first)
  expect(new URL(page.url()).hash).toBe('')
})

test('a phone shows the rows before the chart, and nothing too small to touch', async () => {
  const [, screen] = SCREENS[1]
  const { page } = await open(`?wallet=${WALLET}`, screen)
  const row = await rowsOf(page).first().boundingBox()
  const chart = await page.locator('.activity').boundingBox()
  const targets = 'a, button, select, summary, input:not([type="checkbox"]), label:has([type="checkbox"])'

  expect(row?.y).toBeLessThan(chart?.y ?? 0)
  expect(await tooSmall(page.locator(`main :is(${targets})`))).toEqual([])
  for (const code of await page.locator('pre').all()) {
    expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
  const { page: filtered } = await open(`?wallet=${WALLET}&event=Minted`, screen)
  expect(await filtered.locator('.unfold').textContent()).toBe('Filters (1)')
})

test('where there is no chart, the page says why, and shows the rest', async () => {
  const [{ createdAt = '' } = {}] = (await client().userEvents(WALLET, { limit: 1 })).records
  const prepare = ({ page }: WatchedPage) => page.route('**/page/chart.*', route => route.abort())
  const { page: failed } = await open(`?wallet=${WALLET}`, { prepare })
  const { page: one } = await open(`?wallet=${WALLET}&fromTime=${createdAt}`)
  const { page: none } = await open(`?wallet=0x${'9'.repeat(40)}`)

  await failed.getByText('There is no chart, because its script could not be loaded.').waitFor()
  expect(await rowsOf(failed).count()).toBe(50)
  expect(await failed.getByText('As a table').isVisible()).toBe(true)
  expect(await one.locator('.reason').textContent()).toMatch(
    /^There is no chart, because (all|there is only one) /,
  )
  expect(await none.locator('.reason').textContent()).toBe('There is no chart, because there are no events.')
})

test('nothing moves for who wants no motion', async () => {
  const prepare = ({ page }: WatchedPage) => page.route('**/v1/**', () => {})
  const { page } = await load('', { reducedMotion: 'reduce', prepare })
  await page.locator('.skeleton').first().waitFor()

  expect(await page.evaluate('document.getAnimations().length')).toBe(0)
})

test('a search during an outage changes nothing, and says so', async () => {
  const [event] = (await client().tokenEvents({ limit: 1 })).records
  const { page } = await open()
  const isLookup = (url: URL) => url.searchParams.get('limit') === '1' && url.searchParams.has('address')
  await page.route(isLookup, route => route.fulfill({ status: 403, body: '{}' }))
  await page.locator('#search').fill(String(event?.address))
  await page.locator('#search').press('Enter')
  await until(async () => (await page.locator('#search-hint').textContent()) !== '')

  expect(await page.locator('#search-hint').textContent()).toBe(
    'The search failed, because the service did not answer or returned an error. Look up the address again.',
  )
  expect(new URL(page.url()).search).toBe('')

  await page.unroute(isLookup)
  await page.locator('#search').press('Enter')
  await page.waitForURL(url => url.searchParams.get('address') === event?.address)
})

test('the id that was searched for comes first and is marked, and details pair ids with quantities', async () => {
  const batches = await client().tokenEvents({ event: 'TransferBatch', limit: 500 })
  const long = batches.records.find(({ tokenIds }) => tokenIds.length > 3)
  const tokenId = long?.tokenIds.at(-1) ?? ''
  const { page } = await open(`?address=${long?.address}&network=${long?.network}&tokenId=${tokenId}`)
  const first = await rowsOf(page).evaluateAll(rows =>
    rows
      .map(row => row.querySelector('.items li'))
      .map(item => [item?.className, item?.querySelector('a')?.title]),
  )
  const row = page.locator(`tr[data-ids~="${long?.id}"]`)
  await row.getByRole('button', { name: 'Details' }).click()
  const pairs = long?.tokenIds.map((id, at) => `#${id} × ${long.quantities[at]}`).join(', ') ?? ''

  expect(await factOf(page, 'Units').textContent()).toMatch(/^minted \+\S+, burned −\S+$/)
  expect(first.length).toBeGreaterThan(0)
  expect(first).toEqual(first.map(() => ['asked', `Token id ${tokenId}`]))
  expect(await page.locator('.details .values').allTextContents()).toContain(pairs)
})

test('the first view says what the service is, asks its questions, and has one live region', async () => {
  const { page } = await open()
  const links = await page
    .locator('.examples a')
    .evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))

  await page.getByText('so you can look up what happened on chain').waitFor()
  expect(await page.locator('[aria-live], [role="status"], [role="alert"]').count()).toBe(1)
  expect(links.length).toBeGreaterThanOrEqual(5)
  for (const link of links.filter(each => each.startsWith('?'))) {
    const { page: other } = await open(link)
    expect(await rowsOf(other).count()).toBeGreaterThan(0)
  }
})

test('a typed year is asked for once', async () => {
  const { page } = await open(`?wallet=${WALLET}&fromTime=2024-07-01T12:05:00Z`)
  const before = await page.evaluate<number>('history.length')
  await page.locator('input[name=fromTime]').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('2023')
  await page.waitForURL(/fromTime=2023/)

  expect(await page.evaluate<number>('history.length')).toBe(before + 1)
})

test('a part of a transaction can be read in either order, and its filters lead to the whole', async () => {
  const [mint] = (await client().tokenEvents({ event: 'MintedBatch', limit: 1 })).records
  const whole = `?transactionHash=${mint?.transactionHash}`
  const part = `${whole}&event=MintedBatch`
  // An order by time replaces an order by block number.
  const { page } = await open(`${part}&blockNumber=asc`)
  const order = page.getByLabel('Order')
  for (const [option, search, label] of [
    ['desc', `${part}&createdAt=desc`, 'newest first'],
    ['asc', part, 'oldest first'],
  ] as const) {
    await order.selectOption(option)
    await page.waitForURL(url => url.search === search)
    await page.locator('.count', { hasText: label }).waitFor()
  }
  expect(await rowsOf(page).count()).toBe(1)

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL(url => url.search === whole)
  await settled(page)
  expect(await page.evaluate('document.activeElement.id')).toBe('subject')
  expect(await page.locator('form.filters').count()).toBe(0)
})

test.each([
  [
    'search',
    async (page: Page) => {
      await page.locator('#search').fill(WALLET)
      await page.locator('#search').press('Enter')
    },
  ],
  ['choice of a span', (page: Page) => page.getByRole('button', { name: '30 d' }).click()],
])('the late answer to a %s does not replace what was opened since', async (_, choose) => {
  const { page } = await open()
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isOfOne = (url: URL) => url.searchParams.get('limit') === '1' && !url.searchParams.has('count')
  let isFirst = true
  await page.route(isOfOne, async route => {
    if (isFirst) {
      isFirst = false
      asked.resolve()
      await released.promise
    }
    await route.continue()
  })
  await choose(page)
  await asked.promise
  await page.getByRole('link', { name: 'Burned' }).click()
  await page.waitForURL(/to=0x0/)
  const opened = page.url()
  const answered = page.waitForResponse(response => isOfOne(new URL(response.url())))
  released.resolve()
  await (await answered).finished()
  // The page reads the answer in a few short tasks, which need less time than this wait.
  await setTimeout(500)

  expect(page.url()).toBe(opened)
})

test('a wallet has no filter that its own address makes impossible', async () => {
  const { page } = await open(`?wallet=${WALLET}&from=0x12`)

  expect(await page.locator('input[name=from]').count()).toBe(1)
  expect(await page.locator('input[name=user]').count()).toBe(0)
  expect(await page.locator('#search-hint').textContent()).toBe('')
})
