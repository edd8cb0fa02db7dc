import { setTimeout } from 'node:timers/promises'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import type { EventRecord } from '../../lib/events/record.ts'
import { PROBLEMS } from '../../lib/http/problems.ts'
import { AXE, LOW_CONTRAST, SCREENS, shoot } from './pages.ts'
import { originsOf, useBrowser } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

const stack = useLocalStack()
const browser = useBrowser()
const THEMES = ['light', 'dark'] as const
const CASES = SCREENS.flatMap(([screen, options]) => THEMES.map(theme => ({ screen, options, theme })))
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
  test('a query that is tried shows the records that the service has, and its headers', async () => {
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
    await shoot(page, name)
  })

  test.each(Object.keys(PROBLEMS))(
    'the address of the error %s leads to its cause and remedy',
    async kind => {
      const { page, complaints } = await browser.open(screen)
      await page.goto(`${stack.baseUrl}/docs#${kind}`)

      await untilInView(page.locator(`#${kind} .explanation`), screen.viewport)
      expect(await page.locator(`#${kind}`).textContent()).toMatch(/Cause\s*\S.*Remedy\s*\S/s)
      expect(complaints).toEqual([])
    },
  )

  test('example queries come before anything that has to be scrolled to', async () => {
    const { page } = await browser.open(screen)
    await page.goto(`${stack.baseUrl}/docs`)

    await untilInView(page.locator('.start .examples a').first(), screen.viewport)
  })

  test('an example is sent below its heading, which stays in view, as does the top of the answer', async () => {
    const { page } = await browser.open(screen)
    await page.goto(`${stack.baseUrl}/docs`)
    for (const link of await page.locator('.start .examples a').all()) {
      const operation = page.locator(`#${await link.getAttribute('data-operation')}`)
      await link.click()
      await answerIn(operation)
      await untilInView(operation.locator('h3').first(), screen.viewport)
      const answer = await operation.locator('.live').boundingBox()

      expect(answer?.y).toBeLessThan(screen.viewport.height)
    }
  })

  test('the menu leads to how pages follow each other', async () => {
    const { page } = await browser.open(screen)
    await page.goto(`${stack.baseUrl}/docs`)
    await page.getByRole('navigation').getByRole('link', { name: 'Pages and cursors' }).click()

    await untilInView(page.locator('#about-pages'), screen.viewport)
    expect(await page.locator('#about-pages').textContent()).toContain('Link')
  })

  test('what is touched is at least 24 pixels high, and wide', async () => {
    const { page } = await browser.open(screen)
    const operation = await openOperation(page, 'listTokenEvents')
    await press(operation)
    await answerIn(operation)
    const small =
      await page.evaluate(`[...document.querySelectorAll('button, select, input, summary, .contents a, .examples a')]
      .filter(each => each.checkVisibility())
      .map(each => [(each.closest('label') ?? each).getBoundingClientRect(), each.outerHTML])
      .filter(([{ width, height }]) => width < 24 || height < 24).map(([, html]) => html)`)

    expect(small).toEqual([])
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
    const { violations } = await page.evaluate<AxeResults>(AXE)
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width)
    expect(await page.evaluate(LOW_CONTRAST)).toEqual([])
    expect(ground).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 32, 34)')
    // Browsers log a response with status 400 as an error in the console.
    expect(complaints.filter(text => !/status of 400/.test(text))).toEqual([])
    await shoot(page, `${screen}, ${theme}`)
  },
)

test.each(OPERATIONS)('every example query of %s finds something', async id => {
  const { page, complaints } = await browser.open()
  await page.goto(`${stack.baseUrl}/docs`)
  const operation = page.locator(`#${id}`)
  const links = page.locator(`.start [data-operation="${id}"]`)
  expect(await links.count()).toBeGreaterThan(0)

  for (const link of await links.all()) {
    const href = (await link.getAttribute('href')) ?? ''
    await link.click()
    await operation.locator('form:not([aria-busy])').waitFor()
    const { url, body } = await answerIn(operation)
    const found = JSON.parse(body)

    expect(questionOf(url)).toEqual(questionOf(`${stack.baseUrl}/${href}`))
    expect(id === 'readStatus' ? found.version : found.length).toBeTruthy()
  }
  expect(complaints).toEqual([])
})

/** Ignores the order of the parameters. */
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

test.each([
  ['creator', '0x12', 'must have 35 to 55 characters'],
  ['limit', 'many', 'must be an integer of at least 1, in plain decimal digits'],
])(
  'a value of %s that is refused is sent, and the service’s words stand at its field',
  async (name, value, message) => {
    const { page } = await browser.open()
    const operation = await openOperation(page, 'listTokenEvents')
    await fieldOf(operation, name).fill(value)
    await press(operation)
    const { url, body, live } = await answerIn(operation, 400)

    expect(new URL(url).searchParams.get(name)).toBe(value)
    expect(JSON.parse(body)).toMatchObject({ status: 400, errors: [{ parameter: name, message }] })
    expect(await operation.locator(`#listTokenEvents-${name}-refusal`).textContent()).toBe(message)
    expect(await fieldOf(operation, name).getAttribute('aria-invalid')).toBe('true')
    expect(await operation.locator('[aria-invalid="true"]').count()).toBe(1)
    const borderOf = (field: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('#listTokenEvents input${field}')).borderColor`)
    expect(await borderOf('[aria-invalid="true"]')).not.toBe(await borderOf('[name="skip"]'))
    await live.getByRole('link', { name: 'Incorrect data requested' }).click()
    expect(new URL(page.url()).hash).toBe('#invalid-query')
  },
)

test('an answer that does not come is told of', async () => {
  const { page } = await browser.open()
  const operation = await openOperation(page, 'readStatus')
  await page.route('**/v1/status', route => route.abort())
  await press(operation)

  await operation.locator('.live', { hasText: 'No answer' }).waitFor()
})

test('the page says if a request cannot be copied', async () => {
  const { page, complaints } = await browser.open()
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  const operation = await openOperation(page, 'readStatus')
  await operation.locator('.copy').click()

  await operation.getByText('Not copied').waitFor()
  expect(complaints).toEqual([])
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
