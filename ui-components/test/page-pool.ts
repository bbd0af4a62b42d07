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

/** What an open page is turned to; all else needs another profile. */
type Look = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'reducedMotion' | 'forcedColors'
>

/** All but the look. */
function profileOf(options: BrowserContextOptions): BrowserContextOptions {
  const { viewport, colorScheme, reducedMotion, forcedColors, ...profile } = options
  return profile
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

  /** A page that an earlier test left, in another look. */
  async function reopened(places: Place[], look: Look): Promise<Place | undefined> {
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      if (await isDone(turned(place.page, look))) return place
      await place.context.close()
    }
    return undefined
  }

  return {
    async take(options: BrowserContextOptions): Promise<PooledPage> {
      const kind = JSON.stringify(profileOf(options))
      const places = idle.get(kind) ?? []
      idle.set(kind, places)
      const place = (await reopened(places, options)) ?? (await open(options))
      const { page } = place
      return {
        page,
        async leave() {
          const isKept = !place.isSpoiled && !page.isClosed() && (await isDone(emptied(place)))
          if (isKept) places.push(place)
          else await place.context.close()
        }
      }
    }
  }
}

/**
 * Chromium leaves some of its commands unanswered, though rarely. Emptying or turning a page takes milliseconds, on a
 * busy machine more than five seconds: a page that is given up then is one that no later test gets.
 */
const DONE_MS = 30_000

/** False when it fails or takes too long. */
async function isDone(work: Promise<void>): Promise<boolean> {
  const late = new AbortController()
  const timeout = delay(DONE_MS, false, { signal: late.signal }).catch(() => false)
  const done = work.then(
    () => true,
    () => false
  )
  try {
    return await Promise.race([done, timeout])
  } finally {
    late.abort()
  }
}

async function turned(page: Page, look: Look): Promise<void> {
  const { viewport, colorScheme, reducedMotion, forcedColors } = look
  const size = page.viewportSize()
  const isResized = size?.width !== viewport?.width || size?.height !== viewport?.height
  if (viewport && isResized) await page.setViewportSize(viewport)
  await page.emulateMedia({
    colorScheme: colorScheme ?? 'light',
    reducedMotion: reducedMotion ?? 'no-preference',
    forcedColors: forcedColors ?? 'none'
  })
}

/** Ends all that the test left in its page and profile. */
async function emptied({ context, page, devtools }: Place): Promise<void> {
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.evaluate(() => sessionStorage.clear()).catch(() => undefined)
  // Left by the page itself, which keeps its renderer.
  await page.evaluate(() => location.replace('about:blank'))
  await page.waitForURL('about:blank')
  await context.clearCookies()
  await devtools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
  await page.emulateMedia({ media: null, contrast: null })
  // Refused until the empty page has taken the place of the other.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await devtools.send('Page.resetNavigationHistory')
}
