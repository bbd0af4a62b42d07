// keelson-copy in a browser.
import tap, { test } from 'tap'
import { browserOptions, closeBrowser } from '../../test/browser.ts'
import { openSample } from '../../test/element-sample.ts'

tap.teardown(closeBrowser)

test('it copies its text and says so', browserOptions, async (t) => {
  const sample = await openSample(t, {
    element: 'KeelsonCopy',
    tag: 'keelson-copy',
    values: { text: 'u-1042', label: 'Copy id' }
  })
  await sample.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  t.same(await sample.faultsOfAccess(), [])
  await sample.page.getByRole('button', { name: 'Copy id' }).click()
  await sample.page.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await sample.page.evaluate(() => navigator.clipboard.readText()), 'u-1042')
  t.same(sample.faults, [])
})
