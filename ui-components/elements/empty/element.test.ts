// keelson-empty in a browser.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

test(
  'it says what is empty, why, and what to do, without accessibility faults',
  browserOptions,
  async (t) => {
    const sample = await openSample(t, {
      element: 'KeelsonEmpty',
      tag: 'keelson-empty',
      values: { heading: 'No records', text: 'Send one.' },
      content: '<a href="/docs">How</a>'
    })
    t.same(await sample.faultsOfAccess(), [])
    t.equal(await sample.page.locator('#sample h2').textContent(), 'No records')
    t.equal(await sample.page.locator('#sample p').textContent(), 'Send one.')
    await sample.change({ text: '' })
    t.equal(await sample.page.locator('#sample p').count(), 0)
    t.same(sample.faults, [])
  }
)
