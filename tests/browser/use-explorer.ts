import type { BrowserContextOptions, Page } from 'playwright-core'
import { createEventsClient, type EventRecord } from '../../lib/client/create-events-client.ts'
import { settled } from './pages.ts'
import { useBrowser, type WatchedPage } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

/** The number of events on a page of the explorer. */
export const PAGE = 50

interface OpenOptions extends BrowserContextOptions {
  /** Runs before the explorer is loaded, for example to change the service's answers. */
  prepare?: (watched: WatchedPage) => unknown
}

/** Runs the local stack and Chromium during the tests of the calling file. */
export function useExplorer() {
  const stack = useLocalStack()
  const browser = useBrowser()

  /** Loads the explorer, but does not wait until it has drawn its rows. */
  async function load(query = '', { prepare, ...options }: OpenOptions = {}): Promise<WatchedPage> {
    const watched = await browser.open(options)
    await prepare?.(watched)
    await watched.page.goto(`${stack.baseUrl}/${query}`)
    return watched
  }

  async function open(query?: string, options?: OpenOptions): Promise<WatchedPage> {
    const watched = await load(query, options)
    await settled(watched.page)
    return watched
  }

  return { stack, load, open, client: () => createEventsClient(stack.baseUrl) }
}

export const idsOf = (records: readonly EventRecord[]) => records.map(({ id }) => id)

export const rowsOf = (page: Page) => page.locator('.events tr[data-id]')

/** Returns the ids of the records in the rows, each of which can show several records. */
export const shownIds = (page: Page): Promise<string[]> =>
  rowsOf(page).evaluateAll(rows => rows.flatMap(row => String(row.getAttribute('data-ids')).split(' ')))

type Headers = Record<string, string>

/** Changes the headers of the service's answers to requests for these URLs. */
export const withHeaders =
  (url: string | RegExp, change: (headers: Headers) => Headers) =>
  ({ page }: WatchedPage) =>
    page.route(url, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: change(response.headers()) })
    })
