import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { EventRecord } from '../../lib/events/record.ts'
import { PROBLEMS } from '../../lib/http/problems.ts'
import { useBrowser } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

const LOW_CONTRAST = readFileSync(new URL('low-contrast.js', import.meta.url), 'utf8')

const stack = useLocalStack()
const browser = useBrowser()
const SCREENS = [
  ['a desktop', { viewport: { width: 1280, height: 900 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const

/** Where screenshots are put; none are taken without it. */
const SCREENSHOTS = process.env.SCREENSHOTS

async function openOperation(page: Page, path: string) {
  await page.goto(`${stack.baseUrl}/docs`)
  const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}

type Operation = Awaited<ReturnType<typeof openOperation>>

/** Sends what is filled in, and reads what the page then shows. */
async function execute(operation: Operation): Promise<{ url: string; records: EventRecord[] }> {
  const { url, body } = await send(operation, 200)
  return { url, records: body as EventRecord[] }
}

async function send(operation: Operation, status: number): Promise<{ url: string; body: unknown }> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table')
  await answer.locator('tbody .response-col_status', { hasText: String(status) }).waitFor()
  const body = await answer.locator('.highlight-code code').first().textContent()
  const url = await operation.locator('.request-url pre').textContent()
  return { url: url?.trim() ?? '', body: JSON.parse(body ?? '') }
}

describe.each(SCREENS)('on %s', (name, screen) => {
  test('a query that is tried out shows the records that the service has', async () => {
    const { page, complaints, origins } = await browser.open(screen)
    const operation = await openOperation(page, '/v1/user-events/{address}')
    const { url, records } = await execute(operation)

    expect(records).toEqual(await (await fetch(url)).json())
    expect(records.length).toBeGreaterThan(1)
    expect(records[0]?.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect([...origins]).toEqual([stack.baseUrl])
    expect(complaints).toEqual([])
    await shoot(page, name)
  })

  test('nothing is wider than the screen', async () => {
    const { page } = await browser.open(screen)
    const operation = await openOperation(page, '/v1/token-events')
    await execute(operation)

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screen.viewport.width)
  })

  test.each(Object.keys(PROBLEMS))(
    'the address of the error %s leads to its cause and remedy',
    async kind => {
      const { page, complaints } = await browser.open(screen)
      await page.goto(`${stack.baseUrl}/docs#${kind}`)
      await page.locator('.opblock').first().waitFor()

      await untilInView(page.locator(`#${kind}`), screen.viewport)
      expect(await page.locator(`#${kind}`).textContent()).toMatch(/Cause\s*\S.*Remedy\s*\S/s)
      expect(complaints).toEqual([])
    },
  )
})

test('both meanings of blockNumber can be tried out at once', async () => {
  const { page } = await browser.open()
  const operation = await openOperation(page, '/v1/token-events')
  const row = operation.locator('tr[data-param-name="blockNumber"]')
  for (const value of ['13594497', 'desc']) {
    await row.locator('.json-schema-form-item-add').click()
    await row.locator('input').last().fill(value)
  }
  const { url, records } = await execute(operation)

  expect(new URL(url).searchParams.getAll('blockNumber')).toEqual(['13594497', 'desc'])
  expect(records.map(({ blockNumber }) => blockNumber)).toEqual(records.map(() => 13594497))
  expect(records.length).toBeGreaterThan(0)
})

test.each([
  ['creator', '0x12', 'must have 35 to 55 characters'],
  ['limit', 'many', 'must be an integer of at least 1, in plain decimal digits'],
])(
  'a value of %s that is refused is sent, and the page shows what the service says of it',
  async (parameter, value, message) => {
    const { page } = await browser.open()
    const operation = await openOperation(page, '/v1/token-events')
    await operation.locator(`tr[data-param-name="${parameter}"] input`).fill(value)
    const { url, body } = await send(operation, 400)

    expect(new URL(url).searchParams.get(parameter)).toBe(value)
    expect(body).toMatchObject({ status: 400, errors: [{ parameter, message }] })
  },
)

test.each(['light', 'dark'] as const)(
  'every text stands out from its ground in the %s, which is the reader’s choice',
  async colorScheme => {
    const { page } = await browser.open({ colorScheme })
    const operation = await openOperation(page, '/v1/token-events')
    await operation.locator('tr[data-param-name="creator"] input').fill('0x12')
    await send(operation, 400)
    for (const folded of await operation.locator('summary').all()) await folded.click()
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

    expect(await page.evaluate(LOW_CONTRAST)).toEqual([])
    expect(ground).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 32, 34)')
    await shoot(page, colorScheme)
  },
)

test('the headers of an answer are folded until they are asked for', async () => {
  const { page } = await browser.open()
  const operation = await openOperation(page, '/v1/token-events')
  const answer = operation.locator('.response[data-code="400"]')

  expect(await answer.getByText('X-Request-Id').isVisible()).toBe(false)
  await answer.locator('summary', { hasText: 'headers' }).click()
  expect(await answer.locator('table.headers').getByText('X-Request-Id').isVisible()).toBe(true)
})

/** The page scrolls once its reference is drawn. */
async function untilInView(place: Locator, { height }: { height: number }) {
  const isInView = async () => {
    const box = await place.boundingBox()
    return box !== null && box.y >= 0 && box.y + box.height <= height
  }
  while (!(await isInView())) await setTimeout(50)
}

async function shoot(page: Page, name: string) {
  if (!SCREENSHOTS) return
  await page.screenshot({ path: `${SCREENSHOTS}/${name.replaceAll(' ', '-')}.png`, fullPage: true })
}
