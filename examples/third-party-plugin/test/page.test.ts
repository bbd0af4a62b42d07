// The page of Third party plugin in a browser. Skipped with a word where there is no Chromium.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import plugin from '../index.ts'

after(closeBrowser)

test('a text is checked on the page', browserOptions, async (t) => {
  const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:u1' }
  const config = { adminTenants: ['acme'], words: ['bargain'] }
  const host = await createTestHost({ plugin, viewer, config })
  t.after(() => host.close())
  const url = await host.listen()
  const { page, faults } = await openPage({ teardown: (close) => t.after(close) })
  await page.goto(`${url}/third-party-plugin/status`)
  await page.locator('textarea').fill('A bargain for you')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.locator('[role=status]', { hasText: 'bargain' }).waitFor()
  assert.deepEqual(faults, [])
})
