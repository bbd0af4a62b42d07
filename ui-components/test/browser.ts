// Chromium for tests: found on the machine, started once per process, asked about accessibility.
import { accessSync, constants, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { atFirstUse } from '@keelson/sdk'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page
} from 'playwright-core'
import { countPage } from './page-coverage.ts'
import { createPagePool } from './page-pool.ts'

/** The shell without a window comes first: it takes about a sixth less processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome'
]

/** Why a test that needs a browser is skipped. */
export const NO_BROWSER =
  'No Chromium found: install it, or set CHROMIUM_PATH, and this test will run.'

/** The path of Chromium: `CHROMIUM_PATH`, else the usual places; undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  return (named === undefined || named === '' ? PLACES : [named]).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What `test()` needs to be skipped with a word: `test(name, browserOptions, …)`. */
export const browserOptions: { readonly skip?: string } =
  findChromium() === undefined ? { skip: NO_BROWSER } : {}

/**
 * Chromium reads only the last such list, so the first names are those that Playwright switches off. The last two
 * would start another renderer for the address bar of every profile, which takes longer than most pages.
 */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup'
]

interface RunningBrowser {
  readonly browser: Browser
  readonly pages: ReturnType<typeof createPagePool>
}

let running: Promise<RunningBrowser> | undefined

function browser(): Promise<RunningBrowser> {
  running ??= launch()
  return running
}

async function launch(): Promise<RunningBrowser> {
  const launched = await chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      // A page of a test does not live long enough for compilers that optimize: a tenth of all that Chromium does.
      '--js-flags=--no-maglev,--no-turbofan',
      `--disable-features=${DISABLED_FEATURES.join(',')}`
    ]
  })
  return { browser: launched, pages: createPagePool(launched) }
}

/** Ends the browser of this process. Call it from `teardown` of the file. */
export async function closeBrowser(): Promise<void> {
  const ended = running
  running = undefined
  await (await ended)?.browser.close()
}

/** A page of an empty profile, and everything that went wrong in it. */
export interface TestPage {
  readonly page: Page
  /** Uncaught errors, and what the console calls an error (refused styles and scripts too). */
  readonly faults: string[]
}

/** Opens an empty page; `t.teardown` hands it to the next test, or closes it. */
export async function openPage(
  t: { teardown(fn: () => Promise<void>): void },
  options: BrowserContextOptions = {}
): Promise<TestPage> {
  const { page, leave } = await (await browser()).pages.take({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options
  })
  page.setDefaultTimeout(15_000)
  const countingEnds = await countPage(page)
  t.teardown(async () => {
    await countingEnds()
    await leave()
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, faults }
}

/** The looks that every page is tested in. */
export const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 380, height: 800 } }
] as const

/** How far the window scrolls sideways; it should not. */
export const sideways = ({ page }: Pick<TestPage, 'page'>): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Looked for when a test asks, because tests of pages run without axe too. */
const axePath = atFirstUse(() => createRequire(import.meta.url).resolve('axe-core/axe.min.js'))

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}

/**
 * What axe holds against the page: one line per place; empty when all is well. `without` names rules of axe that
 * the state of the page breaks by intent: `target-size` while a dialog covers some of the targets.
 */
export async function accessibilityFaults(
  page: Page,
  { without = [] }: { readonly without?: readonly string[] } = {}
): Promise<readonly string[]> {
  // Compiling it takes as long as a third of a run.
  if (!(await page.evaluate("'axe' in window"))) {
    await page.evaluate(readFileSync(axePath(), 'utf8'))
  }
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  // All that it found right would take a tenth as long to bring here. A frame that runs no scripts never answers.
  const violations = (await page.evaluate(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: ${JSON.stringify(rules)},
      resultTypes: ['violations'],
      pingWaitTime: 50
    }).then(({ violations }) => violations)`
  )) as readonly AxeViolation[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const summary = failureSummary.replace(/\s+/g, ' ')
      return `${id} at ${JSON.stringify(target)}: ${summary}`
    })
  )
}

/** In the page: resolves when what follows a resize is drawn. */
const TWO_FRAMES =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))'

/**
 * What axe and a sideways scroll hold against the page in each of the looks, one line each; empty when all is well.
 * The page is turned from look to look, because opening it once more takes longer; it is light and wide in the end.
 */
export async function faultsInEveryLook(
  page: Page,
  options: Parameters<typeof accessibilityFaults>[1] = {}
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { colorScheme, viewport } of LOOKS.toReversed()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await page.evaluate(TWO_FRAMES)
    const faults = [...(await accessibilityFaults(page, options))]
    const pixels = await sideways({ page })
    if (pixels !== 0) faults.push(`is ${pixels} px wider than the window`)
    found.push(...faults.map((fault) => `${colorScheme}, ${viewport.width} px: ${fault}`))
  }
  return found
}

/** In the page: the text of an element as it is drawn, with shadow roots in the place of their hosts. */
const DRAWN_TEXT = `(function textOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches('style, script, noscript')) return ''
  const { display, visibility } = getComputedStyle(node)
  if (display === 'none' || visibility === 'hidden') return ''
  const assigned = node.localName === 'slot' ? node.assignedNodes() : []
  const inside = assigned.length > 0 ? assigned : (node.shadowRoot ?? node).childNodes
  const text = [...inside].map(textOf).join('')
  return display.startsWith('inline') || display === 'contents' ? text : text + '\\n'
})(document.body)`

/** The text that the page shows: `innerText` leaves out what is in shadow roots. */
export async function shownText(page: Page): Promise<string> {
  const text = String(await page.evaluate(DRAWN_TEXT))
  return text.replace(/[ \t]+/g, ' ').replace(/\s*\n\s*/g, '\n')
}

/**
 * The texts of elements, white space as one space each. Of what the browser has not drawn yet, as a row that was
 * just added, `innerText` is empty.
 */
export async function textsOf(places: Locator): Promise<string[]> {
  return (await places.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim())
}

/**
 * Holds back the answers of addresses that fit a pattern of Playwright, until the function that it answers is called:
 * for what a page shows meanwhile.
 */
export async function holdAnswers(page: Page, addresses: string): Promise<() => void> {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(addresses, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}
