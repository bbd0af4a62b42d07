// The Notes page in a browser. Skipped with a word where there is no Chromium.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import plugin from '../index.ts'

after(closeBrowser)

test('a note that is written on the page is on its list', browserOptions, async (t) => {
  const viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:u1' }
  const host = await createTestHost({ plugin, viewer })
  t.after(() => host.close())
  const url = await host.listen()
  const { page, faults } = await openPage({ teardown: (close) => t.after(close) })
  await page.goto(`${url}/notes-plugin/notes`)
  await page.locator('input[name=text]').fill('Buy tar')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('Buy tar').waitFor()
  assert.deepEqual(faults, [])
})
