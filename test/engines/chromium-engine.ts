// Chromium, by Playwright as in all other browser tests.
import { browserOptions, openPage } from '@keelson/ui/testing'
import type { Engine } from './engine.ts'

export const chromiumEngine: Engine = {
  ...(browserOptions.skip !== undefined && { skip: browserOptions.skip }),
  name: 'Chromium',
  async open(t) {
    const { page } = await openPage(t)
    return {
      goto: async (url) => void (await page.goto(url)),
      run: (body) => page.evaluate(`(async () => {${body}})()`)
    }
  }
}
