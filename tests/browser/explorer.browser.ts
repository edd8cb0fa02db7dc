import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Page, Route } from 'playwright-core'
import { SCREENS, settled, shoot, WALLET } from './pages.ts'
import { originsOf } from './use-browser.ts'
import { idsOf, PAGE, rowsOf, shownIds, useExplorer, withHeaders } from './use-explorer.ts'

const { stack, load, open, client } = useExplorer()

test('the first view has the newest events of all, and asks for them in one round', async () => {
  const pathOf = (url: string) => url.slice(stack.baseUrl.length)
  const isOfApi = (path: string) => path.startsWith('/v1/')
  let beforeFirstAnswer: string[] = []
  const { page, complaints, requested } = await open('', {
    prepare: ({ page, requested }) =>
      page.on('response', response => {
        if (beforeFirstAnswer.length === 0 && isOfApi(pathOf(response.url())))
          beforeFirstAnswer = requested.map(pathOf).filter(isOfApi)
      }),
  })
  const html = await (await fetch(stack.baseUrl, { headers: { accept: 'text/html' } })).text()
  const { records } = await client().tokenEvents({ limit: PAGE })
  const files = requested.map(pathOf).filter(path => !isOfApi(path) && path !== '/')

  expect(await shownIds(page)).toEqual(idsOf(records))
  expect(files.filter(path => !html.includes(`"${path.slice(1)}"`))).toEqual([])
  expect(beforeFirstAnswer.sort()).toEqual([
    '/v1/token-events?limit=1&count=true',
    `/v1/token-events?limit=${PAGE}`,
  ])
  expect(originsOf(requested)).toEqual([stack.baseUrl])
  expect(complaints).toEqual([])
})

test('a look-up shows the events of a wallet, of a contract, and of the token in a link on the network of the link', async () => {
  const event = { event: 'TransferSingle', network: 'base', limit: 1 } as const
  const [{ address = '', tokenIds: [tokenId = ''] = [] } = {}] = (await client().tokenEvents(event)).records
  const link = `https://base.blockscout.com/token/${address}/instance/${tokenId}`
  const { page, complaints } = await open()
  for (const [text, heading, query] of [
    [WALLET.toUpperCase().replace('0X', '0x'), 'Wallet', { user: WALLET }],
    [address, 'Token contract', { address }],
    [link, 'Token', { address, tokenId, network: 'base' }],
  ] as const) {
    await page.getByRole('searchbox').fill(text)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor()
    await settled(page)
    const { records } = await client().tokenEvents({ ...query, limit: PAGE })

    expect(records.length).toBeGreaterThan(0)
    expect(await shownIds(page)).toEqual(idsOf(records))
  }
  expect(complaints).toEqual([])
})

test.each([
  ['an address with a wrong checksum', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'EIP-55', ''],
  [
    'a link of an unknown site',
    `https://sepolia.etherscan.io/address/${WALLET}`,
    'No network of this service was recognised in the link',
    `?wallet=${WALLET}`,
  ],
])('a look-up of %s says what is wrong with it', async (_, text, hint, line) => {
  const { page } = await open()
  await page.getByRole('searchbox').fill(text)
  await page.keyboard.press('Enter')

  await page.locator('#search-hint', { hasText: hint }).waitFor()
  await page.waitForURL(url => url.search === line)
})

test('an address line that is shared shows the same to whoever opens it, and the request that it made', async () => {
  const { page } = await open(`?wallet=${WALLET}`)
  await page.getByRole('checkbox', { name: 'Transfer', exact: true }).check()
  await page.getByLabel('Order').selectOption('Oldest first')
  await settled(page)
  const other = await open(new URL(page.url()).search)
  const query = { event: 'TransferSingle', createdAt: 'asc', limit: PAGE } as const
  const { records } = await client().userEvents(WALLET, query)
  const line = (await other.page.locator('.requests code').first().textContent()) ?? ''

  expect(new URL(page.url()).search).toBe(`?wallet=${WALLET}&event=TransferSingle&createdAt=asc`)
  expect(await shownIds(other.page)).toEqual(idsOf(records))
  expect(await other.page.getByRole('checkbox', { name: 'Transfer', exact: true }).isChecked()).toBe(true)
  expect(other.requested).toContain(/^curl '(.*)'$/.exec(line)?.[1])
})

test('reading on leads to the end of a long list, with each event once', async () => {
  const { page, complaints } = await open(`?wallet=${WALLET}`)
  const older = page.getByRole('button', { name: 'older events' })
  await older.focus()
  while (await older.isVisible()) {
    const { length } = await shownIds(page)
    await page.keyboard.press('Enter')
    await rowsOf(page).nth(length).waitFor()
    await settled(page)
  }
  const expected: string[] = []
  for await (const { id } of client().eachUserEvent(WALLET, { limit: 500 })) expected.push(id)

  expect(await shownIds(page)).toEqual(expected)
  expect(expected.length).toBeGreaterThan(200)
  await page.locator('.count', { hasText: `${expected.length} of ${expected.length}` }).waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('No more events.')
  expect(complaints).toEqual([])
})

async function barsOf(page: Page) {
  const bars = page.locator('.u-over')
  await bars.scrollIntoViewIfNeeded()
  const box = await bars.boundingBox()
  if (!box) throw new Error('There is no chart')
  return { at: (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const }
}

test('dragging over the bars narrows the time to theirs', async () => {
  const { page, complaints } = await open(`?wallet=${WALLET}`)
  const bars = await barsOf(page)
  await page.mouse.move(...bars.at(0.45))
  await page.mouse.down()
  await page.mouse.move(...bars.at(0.7), { steps: 5 })
  await page.mouse.move(...bars.at(0.98), { steps: 5 })
  await page.mouse.up()
  await page.waitForURL(/fromTime=/)
  await settled(page)
  const { searchParams } = new URL(page.url())
  const [fromTime = '', toTime = ''] = ['fromTime', 'toTime'].map(name => searchParams.get(name) ?? '')
  const query = { fromTime, toTime, limit: PAGE, count: true }
  const { records, total = 0 } = await client().userEvents(WALLET, query)
  const { total: all = 0 } = await client().userEvents(WALLET, { limit: 1, count: true })

  expect(await shownIds(page)).toEqual(idsOf(records))
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThan(all)
  expect(complaints).toEqual([])
})

test('a phone draws the bars when they are near the window, and a tap on one narrows the time to its own', async () => {
  const { page } = await open(`?wallet=${WALLET}`, SCREENS[1][1])
  expect(await page.locator('.activity canvas').count()).toBe(0)
  await page.locator('.activity').scrollIntoViewIfNeeded()
  await page.locator('.activity canvas').waitFor()
  expect(await page.locator('.readout').textContent()).toContain('Logarithmic scale')
  await page.touchscreen.tap(...(await barsOf(page)).at(0.98))
  await page.waitForURL(/fromTime=/)
  await settled(page)
  const { records } = await client().userEvents(WALLET, { limit: 1 })

  expect((await shownIds(page))[0]).toBe(records[0]?.id)
})

test('whoever cannot drag narrows the time by the same numbers in a table', async () => {
  const { page } = await open(`?wallet=${WALLET}`)
  await page.getByText('As a table').click()
  const row = page.getByRole('region', { name: 'Events over time' }).getByRole('row').nth(1)
  const counts = await row.getByRole('cell').allTextContents()
  await row.getByRole('button').click()
  await page.waitForURL(/fromTime=/)
  expect(await page.evaluate('document.activeElement.id')).toBe('activity')
  await settled(page)
  const sum = counts.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0)

  await page.locator('.count', { hasText: new RegExp(` of ${sum},`) }).waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('activity')
})

test('a click where nothing happened leads nowhere', async () => {
  const { page } = await open()
  const bars = await barsOf(page)
  const span = { fromTime: '2019-04-01', toTime: '2019-12-31' }
  const { total } = await client().tokenEvents({ ...span, limit: 1, count: true })
  // The chart begins in December 2018 and ends in July 2024.
  await page.mouse.click(...bars.at(0.15))
  await page.locator('.readout', { hasText: /2019.*: nothing/ }).waitFor()

  expect(total).toBe(0)
  expect(new URL(page.url()).search).toBe('')
})

test('the last days are those before the last event, and look pressed', async () => {
  const { page } = await open(`?wallet=${WALLET}`)
  await page.getByRole('button', { name: '30 d' }).click()
  await page.waitForURL(/fromTime=/)
  await settled(page)
  const [last] = (await client().userEvents(WALLET, { limit: 1 })).records
  const fromTime = new Date(Date.parse(last?.createdAt ?? '') - 30 * 86_400_000)
  const { records } = await client().userEvents(WALLET, { fromTime, limit: PAGE })

  expect(records.length).toBeGreaterThan(0)
  expect(await shownIds(page)).toEqual(idsOf(records))
  expect(await page.locator('.spans [aria-pressed="true"]').allTextContents()).toEqual(['30 d'])
  await page.getByRole('button', { name: '1 y' }).click()
  await page.locator('.spans [aria-pressed="true"]', { hasText: '1 y' }).waitFor()
})

test('with the keyboard alone one can look up, narrow and read details', async () => {
  const { page } = await open()
  const press = (key: string) => page.keyboard.press(key)
  const focused = () =>
    page.evaluate<string>('(each => each.textContent || each.value || each.id)(document.activeElement)')
  const tabTo = async (name: string) => {
    for (let time = 0; time < 400 && !(await focused()).startsWith(name); time++) await press('Tab')
    expect(await focused()).toMatch(new RegExp(`^${name}`))
  }
  await press('Tab')
  expect(await focused()).toBe('Skip to the events')
  await tabTo('search')
  await page.keyboard.type(WALLET)
  await press('Enter')
  await page.getByRole('heading', { name: 'Wallet', exact: true }).waitFor()
  await settled(page)
  await tabTo('TransferSingle')
  await press('Space')
  await page.waitForURL(/event=TransferSingle/)
  await settled(page)
  await tabTo('Details')
  await press('Enter')
  await page.locator('.record').waitFor()

  expect(await page.locator('.record').textContent()).toContain('blockHash')
})

test('an address is copied whole, and a batch unfolded', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await open('?event=TransferBatch,MintedBatch', { permissions })
  const { records } = await client().tokenEvents({ event: ['TransferBatch', 'MintedBatch'], limit: PAGE })
  const long = records.find(({ tokenIds }) => tokenIds.length > 3)
  const row = page.locator(`tr[data-ids~="${long?.id}"]`)
  await row.getByRole('button', { name: /^\+\d+ more/ }).click()
  await row.getByRole('button', { name: /^Copy contract/ }).click()
  await page.getByRole('status').getByText('Copied: contract').waitFor()

  expect(await row.locator('.items li').count()).toBe(long?.tokenIds.length)
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(long?.address)
})

describe('a file', () => {
  async function save(page: Page, format: string): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ])
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }

  test('of NDJSON has every event of the view, as the service sends it', async () => {
    const { page } = await open(`?wallet=${WALLET}`)
    const { name, text } = await save(page, 'NDJSON')
    let exported = ''
    for await (const part of client().exportUserEvents(WALLET, {}, { format: 'ndjson' }))
      exported += part.text

    expect(text.split('\n').length - 1).toBeGreaterThan(500)
    expect(text).toBe(exported)
    expect(name).toBe(`wallet-${WALLET}.ndjson`)
    await page.getByText(`Saved all 558 events as ${name}`).first().waitFor()
  })

  test('of CSV has, for a token, only the rows of this token, and one more column', async () => {
    const [mint] = (await client().tokenEvents({ event: 'MintedBatch', limit: 1 })).records
    const query = { address: mint?.address ?? '', tokenId: mint?.tokenIds.at(-1) ?? '' }
    const token = await open(`?${new URLSearchParams(query)}`)
    const rows: Record<string, string>[] = parse((await save(token.page, 'CSV')).text, { columns: true })
    const { records } = await client().tokenEvents({ ...query, limit: 500 })

    expect(new Set(rows.map(row => row.tokenId))).toEqual(new Set([query.tokenId]))
    expect(new Set(rows.map(row => row.id))).toEqual(new Set(idsOf(records)))
    expect(rows.filter(row => row.repeats !== '').length).toBeGreaterThan(0)
  })

  test('that is stopped on the way, or cannot be fetched, is not saved', async () => {
    const { page } = await open(`?wallet=${WALLET}`)
    const saved: unknown[] = []
    page.on('download', download => saved.push(download))
    await page.route(/limit=500/, () => {})
    await page.getByRole('button', { name: 'CSV' }).click()
    await page.getByText('Reading…').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. No file was saved.').first().waitFor()
    await page.route('**/v1/**', route => route.abort())
    await page.getByRole('button', { name: 'CSV' }).click()
    await page.getByText('The service does not answer. No file was saved.').first().waitFor()

    expect(saved).toEqual([])
  })
})

test('where more happened than is counted, the page says from when on its bars are, and which are cut', async () => {
  const prepare = withHeaders(/count=true/, ({ 'x-total-count': total = '0', ...headers }) => ({
    ...headers,
    ...(Number(total) > 40 ? { 'x-total-count-at-least': '10000' } : { 'x-total-count': total }),
  }))
  const { page } = await open('', { prepare })
  await shoot(page, 'cut')

  await page.locator('.count', { hasText: `${PAGE} of 10,000+` }).waitFor()
  const hint = await page.locator('.activity .hint').textContent()
  expect(hint).toMatch(/the chart begins at 1 Jul 2024, 1\d:\d\d/)
  expect(hint).toContain('Hatched bars')
})

const NOTHING = 'No indexed event matches.'
const OF_ETHEREUM = 'transactionHash=0x1a05f2801ace477c342d9b5ec7aea6f7a14ae4c52d6f4fda56704b3718e6e256'

test.each([
  [
    ...['?finalized=true&network=base', 'the service knows no final block of Base. Only an indexer reports'],
    ...['Include events that are not final yet', '?network=base'],
  ],
  [`?network=base&${OF_ETHEREUM}`, NOTHING, 'Without filters', `?${OF_ETHEREUM}`],
  [`?wallet=${WALLET}&fromTime=2030-01-01`, NOTHING, 'Any time', `?wallet=${WALLET}`],
  [`?address=${WALLET}`, NOTHING, 'The same address as a wallet', `?wallet=${WALLET}`],
  [`?wallet=0x${'9'.repeat(40)}`, NOTHING, 'The latest events', ''],
])('%s has no events: the page says why, and what to try', async (line, reason, name, search) => {
  const { page, complaints } = await open(line)
  await page.getByText(reason).waitFor()
  await page.locator('.empty').getByRole('link', { name }).click()
  await page.waitForURL(url => url.search === search)
  await settled(page)

  expect(await rowsOf(page).count()).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

test('how far each network is indexed stands below', async () => {
  const through = 'base=34160634@2025-08-13T10:20:15Z, polygon=7@2025-08-13T10:20:16Z'
  const prepare = withHeaders('**/v1/token-events?limit=50', headers => ({
    ...headers,
    'x-indexed-through': through,
  }))
  const { page } = await load('', { prepare })
  const networks = page.getByRole('region', { name: 'How current the data is' }).getByRole('listitem')

  expect(await networks.first().textContent()).toMatch(/^Base block 34,160,634 ?\d+ \w+ ago$/)
  expect(await networks.count()).toBe(2)
})

describe('what goes wrong', () => {
  test('with a parameter stands beside it, and one that is not known is named', async () => {
    const { page } = await open('?creator=0x12&contract=0x1&limit=0')
    const answer = await fetch(`${stack.baseUrl}/v1/token-events?creator=0x12&contract=0x1&limit=0`)
    const { errors } = (await answer.json()) as { errors: { parameter: string; message: string }[] }
    const listed = await page.locator('.problem li').allTextContents()

    const hint = 'An address has 40 hex digits after 0x; this has 2.'
    const told = errors.map(({ parameter, message }) =>
      parameter === 'creator' ? `Creator: ${hint}` : `${parameter}: ${message}`,
    )
    await page.getByRole('heading', { name: 'This request has 3 mistakes' }).waitFor()
    expect(listed.sort()).toEqual(told.sort())
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual(['contract', 'creator', 'limit'])
    expect(await page.locator('#creator-refusal').textContent()).toBe(hint)
    expect(await page.locator('.problem a').getAttribute('href')).toContain('/docs#')
  })

  const stopped = { status: 503, body: '{}' }
  const whole = `${PAGE} of 1,969`

  test.each<[string, heading: string, (route: Route) => Promise<void>]>([
    ['with the connection', 'The service does not answer', route => route.abort()],
    [
      'because the service is closed',
      'This service is not open to everyone',
      route => route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' }),
    ],
    ['with a stopped service', 'The service is busy or down', route => route.fulfill(stopped)],
  ])(
    '%s is explained, and the page tries again, on request if the cause may last',
    async (_, name, react) => {
      const { page } = await load('', { prepare: ({ page }) => page.route('**/v1/**', react) })
      await page.getByRole('heading', { name }).waitFor()
      await page.unroute('**/v1/**')
      const again = page.getByRole('button', { name: 'Try again' })
      if (name !== 'The service is busy or down') await again.click()
      await page.locator('.results[aria-busy="false"]').waitFor()
      await page.locator('.activity canvas').waitFor()

      expect(await shownIds(page)).toHaveLength(PAGE)
      await page.locator('.count', { hasText: whole }).waitFor()
    },
  )

  test('with a stopped service is counted again, although the count failed later than the page', async () => {
    let isStopped = true
    // One failure for the client's first attempt, and three for its retries.
    let failingCounts = 4
    const headingOn = (page: Page) => page.getByRole('heading', { name: 'The service is busy or down' })
    const { page } = await load('', {
      prepare: ({ page }) =>
        page.route('**/v1/**', async route => {
          if (!route.request().url().includes('count=true'))
            return isStopped ? route.fulfill(stopped) : route.continue()
          if (failingCounts === 0) return route.continue()
          failingCounts -= 1
          if (failingCounts === 0) await headingOn(page).waitFor()
          return route.fulfill(stopped)
        }),
    })
    await headingOn(page).waitFor()
    isStopped = false
    await page.locator('.results[aria-busy="false"]').waitFor()
    await page.locator('.activity[aria-busy="false"]').waitFor()

    await page.locator('.count', { hasText: whole }).waitFor()
    await page.locator('.activity canvas').waitFor()
  })

  test('a page that ended early says so, and goes on', async () => {
    const prepare = withHeaders('**/v1/token-events?limit=50', headers => ({
      ...headers,
      'x-partial': 'true',
    }))
    const { page } = await load('', { prepare })
    await page.getByText('Nothing is left out').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await settled(page)

    expect(new Set(await shownIds(page)).size).toBe(2 * PAGE)
  })

  test.each([
    ['a wallet', `?wallet=0x${'1'.repeat(41)}`, '#search-hint', 'this has 41', 'Wallet'],
    ['a sender', `?from=0x${'1'.repeat(39)}`, '#from-refusal', 'this has 39', 'From address'],
    ['a wallet’s checksum', `?wallet=0xAb${'1'.repeat(38)}`, '#search-hint', 'EIP-55', 'Wallet'],
  ])('with the address of %s is said, and not that nothing happened', async (_, line, field, hint, name) => {
    const { page, complaints } = await open(line)

    await page.getByRole('heading', { name: 'No such address' }).waitFor()
    const said = await page.locator(field).textContent()
    expect(await page.locator('.empty li').textContent()).toBe(`${name}: ${said}`)
    expect(said).toContain(hint)
    expect(await page.locator('.empty').textContent()).not.toContain('No indexed event matches')
    expect(await page.locator('.field input[aria-invalid="true"]').count()).toBe(name === 'Wallet' ? 0 : 1)
    expect(complaints).toEqual([])
    await page.getByRole('link', { name: 'The latest events', exact: true }).click()
    await settled(page)
    expect(await shownIds(page)).toHaveLength(PAGE)
  })

  test('in sums of quantities is said where mints are listed, and nowhere else', async () => {
    const ofMints = await open('?event=Minted')
    const ofTransfers = await open('?event=TransferSingle')
    const note = 'Sums of quantities must count transfers only'

    expect(await ofMints.page.locator('.results .note').textContent()).toContain(note)
    expect(await ofTransfers.page.getByText(note).count()).toBe(0)
  })
})
