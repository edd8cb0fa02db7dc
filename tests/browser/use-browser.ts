import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The second line switches off the browser's background requests to its vendor. */
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

const ONLY_A_HANG_MS = 600_000

export interface WatchedPage {
  page: Page
  /** The errors and warnings in the console, and uncaught errors. */
  complaints: string[]
  /** The URLs of the requests, without those for data that the page itself contains. */
  requested: string[]
}

export const originsOf = (urls: readonly string[]) => [...new Set(urls.map(url => new URL(url).origin))]

/** Runs Chromium during the tests of the calling file. To run another executable, set `CHROMIUM` to its path. */
export function useBrowser(): { open(options?: BrowserContextOptions): Promise<WatchedPage> } {
  let browser: Browser | undefined

  beforeAll(async () => {
    if (!existsSync(EXECUTABLE))
      throw new Error(`There is no ${EXECUTABLE}; on Debian: apt-get install chromium`)
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })
  })
  afterAll(() => browser?.close())

  return {
    async open(options = {}) {
      if (!browser) throw new Error('The browser runs only while tests run')
      const page = await (await browser.newContext(options)).newPage()
      page.setDefaultTimeout(ONLY_A_HANG_MS)
      const complaints: string[] = []
      const requested: string[] = []
      page.on('console', message => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(error.message))
      page.on('request', request => {
        if (!/^(data|blob):/.test(request.url())) requested.push(request.url())
      })
      return { page, complaints, requested }
    },
  }
}
