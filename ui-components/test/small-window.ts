// Pages are laid out for their viewport and drawn in a small window, because no test looks at the picture.
import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** Of Chromium, so that it keeps no picture of what is outside of the window. */
export const SMALL_WINDOW_ARGS = ['--force-gpu-mem-available-mb=1']
/** In pixels. Scripts see it as `outerWidth` and `outerHeight`. */
const WINDOW = { width: 100, height: 100 }

/** Makes the windows of all pages small that `context.newPage` opens. Drawing them whole takes a tenth of Chromium's time. */
export function makeWindowsSmall(context: BrowserContext): void {
  const newPage = context.newPage.bind(context)
  context.newPage = async () => {
    const page = await newPage()
    await makeWindowSmall(page, await context.newCDPSession(page))
    return page
  }
}

async function makeWindowSmall(page: Page, devtools: CDPSession): Promise<void> {
  const { windowId } = await devtools.send('Browser.getWindowForTarget')
  const shrink = async () => {
    const { width, height } = page.viewportSize() ?? WINDOW
    await devtools.send('Browser.setWindowBounds', { windowId, bounds: WINDOW })
    await devtools.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      screenWidth: width,
      screenHeight: height,
      deviceScaleFactor: 1,
      mobile: false,
      dontSetVisibleSize: true
    })
  }
  const resize = page.setViewportSize.bind(page)
  page.setViewportSize = async (size) => {
    await resize(size)
    await shrink()
  }
  await shrink()
}
