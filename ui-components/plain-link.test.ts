// Which clicks pages follow themselves, and what they follow.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from './test/browser.ts'
import { openElementPage } from './test/element-page.ts'

tap.teardown(closeBrowser)

test(
  'a link is followed by its path, unless that reads as another host',
  browserOptions,
  async (t) => {
    const { page } = await openElementPage(t)
    const followed = await page.evaluate(async () => {
      const { plainLink } = await import('@keelson/ui')
      const link = document.body.appendChild(document.createElement('a'))
      return [
        '/a?b=1#c',
        '/..//evil.test/x',
        `${location.origin}//evil.test/x`,
        'https://evil.test/'
      ].map((href) => {
        link.href = href
        let seen: string | null = null
        const note = (event: MouseEvent) => {
          seen = plainLink(event) ?? null
          event.preventDefault()
        }
        link.addEventListener('click', note, { once: true })
        link.click()
        return seen
      })
    })
    t.same(followed, ['/a?b=1#c', null, null, null])
  }
)
