// Opens the dashboard's pages in the system's Chromium, over an API on made-up records.
import { existsSync } from 'node:fs'
import type { Viewer } from '@keelson/sdk'
import { countPage } from '@keelson/ui/testing'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { ADMIN, dashboardApp, type FakeStore } from './fake-store.ts'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** Why pages cannot be opened here; undefined when they can. */
export const noBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : 'no Chromium at /usr/bin/chromium (set CHROMIUM_PATH)'

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

let shared: Promise<Browser> | undefined
let open = 0
let idle: ReturnType<typeof setTimeout> | undefined

/** One browser for all tests of a file. It ends shortly after its last page: nothing else would. */
function browser(): Promise<Browser> {
  clearTimeout(idle)
  open += 1
  shared ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  return shared
}

function release(): void {
  open -= 1
  if (open > 0) return
  idle = setTimeout(() => {
    void shared?.then((running) => running.close())
    shared = undefined
  }, 500)
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

export async function openPage(options: OpenOptions): Promise<Opened> {
  const { width = 1280, height = 900, scheme = 'light', query = '', page: id = 'events' } = options
  const { app, address } = await serve(options)
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: options.browserZone ?? 'UTC',
    reducedMotion: 'reduce'
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const countingEnds = await countPage(page)
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
      await countingEnds()
      await context.close()
      await app.close()
      release()
    }
  }
}
