import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { EventRecord } from '../../lib/events/record.ts'
import { PROBLEMS } from '../../lib/http/problems.ts'
import { SCREENS, shoot, tooSmall, violationsIn } from './pages.ts'
import { originsOf, useBrowser } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

const stack = useLocalStack()
const browser = useBrowser()
const THEMES = ['light', 'dark'] as const
const CASES = SCREENS.flatMap(([screen, options]) => THEMES.map(theme => ({ screen, options, theme })))
const ABOUT_PAGES = 'about-pages'
const TARGETS = 'button, select, input, summary, .contents a, .examples a'
const OPERATIONS = ['listUserEvents', 'listTokenEvents', 'listChanges', 'readStatus']

async function openOperation(page: Page, id: string): Promise<Locator> {
  await page.goto(`${stack.baseUrl}/docs#${id}`)
  return page.locator(`#${id}`)
}

const fieldOf = (operation: Locator, name: string) => operation.locator(`input[name="${name}"]`)

const press = (operation: Locator) => operation.getByRole('button', { name: 'Send' }).first().click()

/** Returns the response's body as the page shows it, and the URL of the request. */
async function answerIn(operation: Locator, status = 200) {
  const live = operation.locator('.live')
  await live.locator('.status', { hasText: String(status) }).waitFor()
  const command = (await operation.locator('.request code').textContent()) ?? ''
  const [, url = ''] = /^curl '(.+)'$/.exec(command) ?? []
  return { live, url, body: (await live.locator('pre').textContent()) ?? '' }
}

async function recordsIn(operation: Locator): Promise<{ url: string; records: EventRecord[] }> {
  const { url, body } = await answerIn(operation)
  return { url, records: JSON.parse(body) }
}

describe.each(SCREENS)('on %s', (name, screen) => {
  test('a query that is tried shows the records and headers of the service, and nothing too small to touch', async () => {
    const { page, complaints, requested } = await browser.open(screen)
    const operation = await openOperation(page, 'listUserEvents')
    await press(operation)
    const { url, records } = await recordsIn(operation)
    const answer = await fetch(url)
    const headers = operation.locator('.live .sent').first()

    expect(records).toEqual(await answer.json())
    expect(records.length).toBeGreaterThan(1)
    expect(await headers.locator('dt', { hasText: 'Link' }).isVisible()).toBe(true)
    expect(await headers.textContent()).toContain(answer.headers.get('link'))
    expect(originsOf(requested)).toEqual([stack.baseUrl])
    expect(complaints).toEqual([])
    expect(await tooSmall(page.locator(TARGETS))).toEqual([])
    await shoot(page, name)
  })

  test.each<[string, RegExp]>([
    ...Object.keys(PROBLEMS).map((kind): [string, RegExp] => [kind, /Cause\s*\S.*Remedy\s*\S/s]),
    [ABOUT_PAGES, /Link/],
  ])('the address of %s leads to its explanation', async (id, explanation) => {
    const { page, complaints } = await browser.open(screen)
    await page.goto(`${stack.baseUrl}/docs#${id}`)

    const place = id === ABOUT_PAGES ? page.locator(`#${id}`) : page.locator(`#${id} .explanation`)
    await untilInView(place, screen.viewport)
    expect(await page.locator(`#${id}`).textContent()).toMatch(explanation)
    expect(complaints).toEqual([])
  })

  test('examples come before anything that must be scrolled to, and their answers begin in view', async () => {
    const { page, complaints } = await browser.open(screen)
    await page.goto(`${stack.baseUrl}/docs`)
    await untilInView(page.locator('.start .examples a').first(), screen.viewport)
    const tried = new Set<string>()
    for (const link of await page.locator('.start .examples a').all()) {
      const id = (await link.getAttribute('data-operation')) ?? ''
      const operation = page.locator(`#${id}`)
      await link.click()
      await operation.locator('form:not([aria-busy])').waitFor()
      const { url, body } = await answerIn(operation)
      const found = JSON.parse(body)

      await untilInView(operation.locator('h3').first(), screen.viewport)
      expect((await operation.locator('.live').boundingBox())?.y).toBeLessThan(screen.viewport.height)
      expect(questionOf(url)).toEqual(questionOf(`${stack.baseUrl}/${await link.getAttribute('href')}`))
      expect(id === 'readStatus' ? found.version : found.length).toBeTruthy()
      tried.add(id)
    }
    expect([...tried].sort()).toEqual(OPERATIONS.toSorted())
    expect(complaints).toEqual([])
  })
})

test.each(CASES)(
  'the page fits, is open to all and stands out from its ground on $screen in the $theme',
  async ({ screen, options, theme }) => {
    const { page, complaints } = await browser.open({ ...options, colorScheme: theme })
    const operation = await openOperation(page, 'listTokenEvents')
    await fieldOf(operation, 'creator').fill('0x12')
    await fieldOf(operation, 'creator').press('Enter')
    await answerIn(operation, 400)
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

    expect(await violationsIn(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width)
    expect(ground).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 32, 34)')
    // Browsers log a response with status 400 as an error in the console.
    expect(complaints.filter(text => !/status of 400/.test(text))).toEqual([])
    await shoot(page, `${screen}, ${theme}`)
  },
)

/** Returns the URL's path and parameters in a form that ignores the parameters' order. */
function questionOf(url: string) {
  const { pathname, searchParams } = new URL(url)
  return [pathname, Object.fromEntries(searchParams)]
}

test('a reader with a keyboard alone reaches the fields, sends, and is told of the answer', async () => {
  const { page } = await browser.open()
  await page.goto(`${stack.baseUrl}/docs`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('reference')
  for (let stops = 0; stops < 40; stops++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.name')) === 'address') break
  }
  await page.keyboard.press('Enter')
  const { records } = await recordsIn(page.locator('#listUserEvents'))

  expect(records.length).toBeGreaterThan(1)
  expect(await page.locator('[role=status]').textContent()).toMatch(/^Answered 200/)
  expect(await page.locator('[role=status], [aria-live]').count()).toBe(1)
})

test('both meanings of blockNumber can be tried at once', async () => {
  const { page } = await browser.open()
  const operation = await openOperation(page, 'listTokenEvents')
  const parameter = operation.locator('#listTokenEvents-blockNumber')
  await parameter.locator('input').fill('13594497')
  await parameter.getByRole('button', { name: 'Another value' }).click()
  await parameter.locator('input').last().fill('desc')
  expect(await parameter.getByRole('button', { name: 'Another value' }).isVisible()).toBe(false)
  await press(operation)
  const { url, records } = await recordsIn(operation)

  expect(new URL(url).searchParams.getAll('blockNumber')).toEqual(['13594497', 'desc'])
  expect(records.map(({ blockNumber }) => blockNumber)).toEqual(records.map(() => 13594497))
  expect(records.length).toBeGreaterThan(0)
})

test('kinds and networks are ticked, orders chosen, and cleared again', async () => {
  const { page } = await browser.open()
  const operation = await openOperation(page, 'listTokenEvents')
  for (const kind of ['Minted', 'OwnershipTransferred'])
    await operation.getByLabel(kind, { exact: true }).check()
  await operation.getByLabel('base', { exact: true }).check()
  await operation.getByLabel('createdAt').selectOption('asc')
  await press(operation)
  const { url, records } = await recordsIn(operation)

  expect(new URL(url).search).toBe('?network=base&event=Minted&event=OwnershipTransferred&createdAt=asc')
  expect(new Set(records.map(({ network }) => network))).toEqual(new Set(['base']))
  await operation.getByRole('button', { name: 'Clear' }).click()
  await operation.locator('.request code', { hasText: /token-events'$/ }).waitFor()
})

test('the example of every parameter is filled in where its button is pressed', async () => {
  const { page } = await browser.open()
  for (const id of OPERATIONS) {
    const operation = await openOperation(page, id)
    for (const parameter of await operation.locator('.parameter').all()) {
      const button = parameter.locator('.fill')
      const values: string[] = JSON.parse((await button.getAttribute('data-values')) ?? '')
      const name = (await parameter.locator('[name]').first().getAttribute('name')) ?? ''
      await button.click()
      const command = (await operation.locator('.request code').textContent()) ?? ''
      const { pathname, searchParams } = new URL(command.slice("curl '".length, -1))

      if (pathname.includes(values[0] ?? '')) continue
      expect([name, searchParams.getAll(name)]).toEqual([name, values])
    }
  }
})

test('the next page is a button away and asks for the same contracts, and text is shown as it was sent', async () => {
  const { page } = await browser.open()
  const latest = (await (await fetch(`${stack.baseUrl}/v1/token-events`)).json()) as EventRecord[]
  const contracts = [...new Set(latest.map(({ address }) => address))].slice(0, 2)
  const operation = await openOperation(page, 'listTokenEvents')
  const addresses = operation.locator('#listTokenEvents-address')
  await addresses.locator('input').fill(contracts[0] ?? '')
  await addresses.getByRole('button', { name: 'Another value' }).click()
  await addresses.locator('input').last().fill(String(contracts[1]))
  await fieldOf(operation, 'limit').fill('2')
  await operation.getByLabel('format').selectOption('csv')
  await press(operation)
  const first = await answerIn(operation)
  await operation.getByRole('button', { name: 'Next page' }).click()
  await operation.locator('form:not([aria-busy])').waitFor()
  const second = await answerIn(operation)

  expect(first.body).toBe(await (await fetch(first.url)).text())
  expect(second.body).toBe(await (await fetch(second.url)).text())
  expect(second.body).not.toBe(first.body)
  expect(new URL(first.url).searchParams.getAll('address')).toEqual(contracts)
  expect(new URL(second.url).searchParams.getAll('address').join()).toBe(contracts.join())
})

test('a value that is refused is sent, and the service’s words stand at its field', async () => {
  const { page } = await browser.open()
  const operation = await openOperation(page, 'listTokenEvents')
  await fieldOf(operation, 'creator').fill('0x12')
  await press(operation)
  const { url, body, live } = await answerIn(operation, 400)

  const message = 'must have 35 to 55 characters'
  expect(new URL(url).searchParams.get('creator')).toBe('0x12')
  expect(JSON.parse(body)).toMatchObject({ status: 400, errors: [{ parameter: 'creator', message }] })
  expect(await operation.locator('#listTokenEvents-creator-refusal').textContent()).toBe(message)
  expect(await fieldOf(operation, 'creator').getAttribute('aria-invalid')).toBe('true')
  expect(await operation.locator('[aria-invalid="true"]').count()).toBe(1)
  const borderOf = (field: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('#listTokenEvents input${field}')).borderColor`)
  expect(await borderOf('[aria-invalid="true"]')).not.toBe(await borderOf('[name="skip"]'))
  await live.getByRole('link', { name: 'Incorrect data requested' }).click()
  expect(new URL(page.url()).hash).toBe('#invalid-query')
})

test('the page says if no answer comes, and if a request cannot be copied', async () => {
  const { page } = await browser.open()
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  const operation = await openOperation(page, 'readStatus')
  await operation.locator('.copy').click()
  await operation.getByText('Not copied').waitFor()
  await page.route('**/v1/status', route => route.abort())
  await press(operation)

  await operation.locator('.live', { hasText: 'No answer' }).waitFor()
})

test('without a script everything is there but what sends requests', async () => {
  const { page } = await browser.open({ javaScriptEnabled: false })
  const operation = await openOperation(page, 'listTokenEvents')

  expect(await operation.getByText('Only events emitted by this token contract, or by any').isVisible()).toBe(
    true,
  )
  expect(await operation.getByRole('button', { name: 'Send' }).first().isVisible()).toBe(false)
  expect(await fieldOf(operation, 'limit').isVisible()).toBe(false)
})

async function untilInView(place: Locator, { height }: { height: number }) {
  const isInView = async () => {
    const box = await place.boundingBox()
    return box !== null && box.y >= 0 && box.y + box.height <= height
  }
  while (!(await isInView())) await setTimeout(50)
}
