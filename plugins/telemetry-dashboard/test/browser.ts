// Opens the dashboard's pages in the system's Chromium, over an API on made-up records.
import type { Viewer } from '@keelson/sdk'
import { browserOptions, closeBrowser, openPage as openTestPage } from '@keelson/ui/testing'
import type { Locator, Page } from 'playwright-core'
import tap from 'tap'
import { ADMIN, dashboardApp, type FakeStore } from './fake-store.ts'

/** Why pages cannot be opened here; undefined when they can. */
export const noBrowser: string | undefined = browserOptions.skip

export interface OpenOptions {
  readonly store: FakeStore
  readonly page?: string
  /** After the path: `?range=24h`. */
  readonly query?: string
  readonly viewer?: Viewer
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Of the dashboard. Default UTC. */
  readonly timeZone?: string
  /** Of the browser. Default UTC. */
  readonly browserZone?: string
  /** A device with a touch screen and no mouse. */
  readonly touch?: boolean
}

export interface Opened {
  readonly page: Page
  /** What the page's console and errors said. */
  readonly complaints: string[]
  close(): Promise<void>
}

/** Starts a host on a free port that serves the dashboard in its standalone shell. */
async function serve({ store, viewer = ADMIN, timeZone }: OpenOptions) {
  const app = await dashboardApp(store, {
    viewerAdapter: { resolveViewer: () => viewer },
    ...(timeZone !== undefined && { timeZone })
  })
  return { app, address: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

/**
 * How many there are, once there are as many as expected: what is counted may come with an answer that is
 * still on its way. Fails when that never is.
 */
export async function exactly(places: Locator, expected: number): Promise<number> {
  if (expected > 0) await places.nth(expected - 1).waitFor({ state: 'attached' })
  await places.nth(expected).waitFor({ state: 'detached' })
  return places.count()
}

/** Waits until no table or chart has an answer on its way. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

let closesBrowser = false

export async function openPage(options: OpenOptions): Promise<Opened> {
  const { width = 1280, height = 900, scheme = 'light', query = '', page: id = 'events' } = options
  if (!closesBrowser) tap.teardown(closeBrowser)
  closesBrowser = true
  const { app, address } = await serve(options)
  const leaving: (() => Promise<void>)[] = []
  const test = { teardown: (leave: () => Promise<void>) => void leaving.push(leave) }
  const { page } = await openTestPage(test, {
    viewport: { width, height },
    colorScheme: scheme,
    timezoneId: options.browserZone ?? 'UTC',
    ...(options.touch === true && { hasTouch: true, isMobile: true })
  })
  const complaints: string[] = []
  page.on('response', (r) => {
    if (r.status() >= 400) complaints.push(`${r.status()} ${new URL(r.url()).pathname}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(`${address}/telemetry/${id}${query}`)
  return {
    page,
    complaints,
    async close() {
      for (const leave of leaving) await leave()
      await app.close()
    }
  }
}
