// Pages of the test browser: the page of a test that ended is emptied, and opened again for the next.
import { setTimeout as delay } from 'node:timers/promises'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page
} from 'playwright-core'

/** A page for one test. */
export interface PooledPage {
  readonly page: Page
  /** Hands it back. */
  leave(): Promise<void>
}

interface Place {
  readonly context: BrowserContext
  readonly page: Page
  readonly devtools: CDPSession
  /** A test has changed what cannot be set back. */
  isSpoiled: boolean
}

/** What a test does by these cannot be set back. */
const LASTING = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline'
] as const

/** Calls `onUse` when one of the methods is called. */
function watch(target: Page | BrowserContext, onUse: () => void): void {
  const methods = target as unknown as Record<
    string,
    ((...given: unknown[]) => unknown) | undefined
  >
  for (const name of LASTING) {
    const method = methods[name]
    if (method === undefined) continue
    methods[name] = (...given) => {
      onUse()
      return method.apply(target, given)
    }
  }
}

/** Opens pages in one browser. Starting a renderer takes longer than most tests of an element. */
export function createPagePool(browser: Browser) {
  const idle = new Map<string, Place[]>()

  async function open(options: BrowserContextOptions): Promise<Place> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const place: Place = {
      context,
      page,
      devtools: await context.newCDPSession(page),
      isSpoiled: false
    }
    const spoil = () => {
      place.isSpoiled = true
    }
    watch(context, spoil)
    watch(page, spoil)
    return place
  }

  return {
    async take(options: BrowserContextOptions): Promise<PooledPage> {
      const kind = JSON.stringify(options)
      const places = idle.get(kind) ?? []
      idle.set(kind, places)
      const place = places.pop() ?? (await open(options))
      const { page } = place
      return {
        page,
        async leave() {
          const isKept = !place.isSpoiled && !page.isClosed() && (await isEmptied(place, options))
          if (isKept) places.push(place)
          else await place.context.close()
        }
      }
    }
  }
}

/** Emptying takes milliseconds. Chromium leaves some of its commands unanswered, though rarely. */
const EMPTIED_MS = 5_000

/** Ends all that the test left in its page and profile; false when that fails or takes too long. */
async function isEmptied(place: Place, options: BrowserContextOptions): Promise<boolean> {
  const late = new AbortController()
  const timeout = delay(EMPTIED_MS, false, { signal: late.signal }).catch(() => false)
  try {
    return await Promise.race([emptied(place, options), timeout])
  } finally {
    late.abort()
  }
}

async function emptied(
  { context, page, devtools }: Place,
  { viewport, colorScheme, reducedMotion, forcedColors }: BrowserContextOptions
): Promise<boolean> {
  try {
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.evaluate(() => sessionStorage.clear()).catch(() => undefined)
    // Left by the page itself, which keeps its renderer.
    await page.evaluate(() => location.replace('about:blank'))
    await page.waitForURL('about:blank')
    await context.clearCookies()
    await devtools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
    await devtools.send('Page.resetNavigationHistory')
    const size = page.viewportSize()
    const isResized = size?.width !== viewport?.width || size?.height !== viewport?.height
    if (viewport && isResized) await page.setViewportSize(viewport)
    await page.emulateMedia({
      media: null,
      contrast: null,
      colorScheme: colorScheme ?? 'light',
      reducedMotion: reducedMotion ?? 'no-preference',
      forcedColors: forcedColors ?? 'none'
    })
    return true
  } catch {
    return false
  }
}
