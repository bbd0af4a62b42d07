// Opens the dashboard's pages in the system's Chromium, over an API on made-up records.
import type { Viewer } from '@keelson/sdk'
import { browserOptions, closeBrowser, openPage as openTestPage } from '@keelson/ui/testing'
import type { FastifyInstance } from 'fastify'
import type { Locator, Page } from 'playwright-core'
import tap from 'tap'
import { ADMIN, dashboardApp, type FakeStore, hostWith } from './fake-store.ts'

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

/** The store of the test that runs: its host may have started for an earlier test. */
let store: FakeStore | undefined

/** What a host was given as it started, but read when it is used. */
function forwarding<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_target, key) {
      const value: unknown = Reflect.get(current(), key)
      if (typeof value === 'function') return value.bind(current())
      return isObject(value) ? forwarding(() => Reflect.get(current(), key) as object) : value
    },
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(current(), key)
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** By viewer and time zone. */
const hosts = new Map<string, Promise<FastifyInstance>>()

/**
 * The address of a host that serves the dashboard in its standalone shell. Tests share it, because starting one
 * takes time, and the browser keeps what it has read and compiled from it.
 */
async function serve(options: OpenOptions): Promise<string> {
  store = options.store
  const { viewer = ADMIN, timeZone } = options
  const key = JSON.stringify([viewer, timeZone])
  const host = hosts.get(key) ?? start(viewer, timeZone)
  hosts.set(key, host)
  return (await host).listeningOrigin
}

async function closeSharedHosts(): Promise<void> {
  for (const host of hosts.values()) await (await host).close()
}

async function start(viewer: Viewer, timeZone: string | undefined): Promise<FastifyInstance> {
  const host = { value: hostWith(forwarding(() => (store as FakeStore).views)) }
  // The host opens its collection once, and each test has views of its own.
  const shown = forwarding(() => {
    const { telemetry, ...parts } = store as FakeStore
    return { ...parts, telemetry: Object.create(telemetry, { host }) as FakeStore['telemetry'] }
  })
  const app = await dashboardApp(shown, {
    viewerAdapter: { resolveViewer: () => viewer },
    ...(timeZone !== undefined && { timeZone })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
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

let closesAtEnd = false

export async function openPage(options: OpenOptions): Promise<Opened> {
  const { width = 1280, height = 900, scheme = 'light', query = '', page: id = 'events' } = options
  if (!closesAtEnd) {
    tap.teardown(closeSharedHosts)
    tap.teardown(closeBrowser)
  }
  closesAtEnd = true
  const address = await serve(options)
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
    }
  }
}

/** The link to the list that a thing is in. */
export const parent = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')
