// Opens every page of the demo in a few tabs, with an API that is slow or fails.
import { type LOOKS, openPage } from '@keelson/ui/testing'
import type { Page, Response } from 'playwright-core'
import { type Demo, pathsOf, signIn } from './demo-in-browser.ts'

/** What becomes of the calls of a page. */
export type ApiState = 'slow' | 'answers 500' | 'cannot be reached'

/** The sum of shifts that a page may have: "good" by https://web.dev/articles/cls is 0.1. */
export const MOST_SHIFT = 0.05

/** Calls of its API that a page may make until it is drawn. */
export const MOST_CALLS = 4

/** Pages that are open at once. */
const TABS = 3
/** Calls of the pages, and not their files. */
const API = /\/api\/|\/(oauth|agent)\/(admin|me|consent)|\/dev\/mailbox\/messages/
/** In place of a path without an id. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  '/admin/mailer/template': ['/admin/mailer/template/newsletter'],
  '/admin/mailer/flow': ['/admin/mailer/flow/onboarding'],
  '/admin/mailer/broadcast': ['/admin/mailer/broadcast/spring-news'],
  '/admin/mailer/contact': ['/admin/mailer/contact/u10'],
  '/admin/mailer/sends': ['/admin/mailer/sends', `/admin/mailer/sends?send=${'0'.repeat(24)}`]
}

/**
 * In the page, before anything of it: adds up how much of the window moved and how far, as
 * https://web.dev/articles/cls does, and comes between the page and its API.
 */
const watching = (state: ApiState): string => `
  window.shift = 0
  window.apiState = ${JSON.stringify(state)}
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  const { fetch } = window
  window.fetch = async (address, init) => {
    const { pathname, searchParams } = new URL(address, location.href)
    if (!${String(API)}.test(pathname)) return fetch(address, init)
    // Parts of a page arrive one after the other, as over a slow network.
    const text = [pathname, searchParams.get('groupBy'), searchParams.get('by')].join()
    const turn = [...text].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 5
    await new Promise((resolve) => setTimeout(resolve, 40 + turn * 40))
    if (window.apiState === 'slow') return fetch(address, init)
    if (window.apiState === 'cannot be reached') throw new TypeError('Failed to fetch')
    return Response.json({ error: 'internal_error' }, { status: 500 })
  }`

/** How far the page has moved since it was opened. */
export const shiftOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('window.shift'))

/** What a page has taken since it was opened. */
export interface Taken {
  /** Bytes of all answers as they are sent, compressed; those of its cache count, too. */
  readonly bytes: number
  /** Calls of its API, and not its files; one that comes again after seconds is a page that stays fresh. */
  readonly calls: number
}

/** A live list asks every five seconds, and no page sooner. */
const FRESH_MS = 4_000

/** What the page has taken until now. */
export const takenBy = async (page: Page): Promise<Taken> =>
  (await page.evaluate(`(() => {
    const answers = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
    const calls = answers.filter(({ name }) => ${String(API)}.test(new URL(name).pathname))
    const isAgain = ({ name, startTime }) =>
      calls.some((one) => one.name === name && one.startTime < startTime - ${FRESH_MS})
    return {
      bytes: answers.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      calls: calls.filter((call) => !isAgain(call)).length
    }
  })()`)) as Taken

/** What becomes of the next calls. */
export const setApi = async (page: Page, state: ApiState): Promise<void> =>
  void (await page.evaluate(`window.apiState = ${JSON.stringify(state)}`))

export interface EveryPage {
  readonly look: (typeof LOOKS)[number]
  readonly api: ApiState
  /** Paths that are left out. */
  readonly except?: readonly string[]
  /** Which of the others are visited, by their place. Default: all. */
  readonly isVisited?: (index: number) => boolean
  /** Called with each answer that a page gets. */
  onAnswer?(answer: Response): void
  /** Called with each address, and its place among those visited, once a tab has opened it. */
  visit(tab: Page, path: string, index: number): Promise<void>
}

/** Signs in and visits each address that the administrator may open, and the sign-in page. Resolves to the addresses. */
export async function everyPage(
  t: Parameters<typeof openPage>[0],
  demo: Demo,
  { look, api, except = [], isVisited = () => true, onAnswer, visit }: EveryPage
): Promise<readonly string[]> {
  const { page } = await openPage(t, look)
  await signIn(page, demo, 'admin@acme.test', '/admin/mailer')
  const found = (await pathsOf(page, demo)).filter((path) => !except.includes(path))
  const paths = found.flatMap((path) => ADDRESSES[path] ?? [path]).filter((_, at) => isVisited(at))
  const context = page.context()
  await context.addInitScript({ content: watching(api) })
  const waiting = paths.entries()
  const work = async () => {
    const tab = await context.newPage()
    if (onAnswer !== undefined) tab.on('response', onAnswer)
    for (const [index, path] of waiting) {
      await tab.goto(`${demo.url}${path}`)
      await visit(tab, path, index)
    }
    await tab.close()
  }
  await Promise.all(Array.from({ length: TABS }, work))
  return paths
}
