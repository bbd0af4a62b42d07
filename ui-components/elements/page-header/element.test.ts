// keelson-page-header in a browser.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

const HEADER = {
  element: 'KeelsonPageHeader',
  tag: 'keelson-page-header',
  values: { heading: 'Events' },
  content: '<span slot="tags">signed_up</span><button>Export</button>'
}

test('the heading is an h1 that can take the focus', browserOptions, async (t) => {
  const sample = await openSample(t, HEADER)
  await sample.page.evaluate(() => {
    const header = document.querySelector('#sample') as HTMLElement & { focusHeading(): void }
    header.focusHeading()
  })
  const focused = await sample.page.evaluate(
    () => document.querySelector('#sample')?.shadowRoot?.activeElement?.textContent
  )
  t.equal(focused, 'Events')
})

test('it has no accessibility faults and fits into a narrow window', browserOptions, async (t) => {
  const sample = await openSample(t, { ...HEADER, width: 380 })
  const faults = await sample.faultsOfAccess()
  // The document of the test has its own h1.
  t.same(
    faults.filter((fault) => !fault.startsWith('page-has-heading-one')),
    []
  )
  const tooWide = await sample.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  t.ok(tooWide <= 0)
  t.same(sample.faults, [])
})

test(
  'where a shell keeps room for its bar, the header of a narrow window is not moved',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, { ...HEADER, width: 380 })
    const top = () =>
      sample.page.locator('#sample').evaluate((one) => one.getBoundingClientRect().top)
    const before = await top()
    await sample.page.evaluate(() =>
      document.documentElement.style.setProperty('--keelson-page-top', '48px')
    )
    t.equal(await top(), before)
  }
)
