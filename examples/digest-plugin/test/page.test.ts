// The page of Digest plugin in a browser. Skipped with a word where there is no Chromium.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { keelsonOf } from '@keelson/kernel'
import { createTestHost } from '@keelson/sdk/testing'
import telemetry from '@keelson/telemetry'
import { telemetryStore } from '@keelson/telemetry/contracts'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import plugin from '../index.ts'

after(closeBrowser)

test('a service that has failed is on the page', browserOptions, async (t) => {
  const viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:u1' }
  const registry = { 'app.error': { kind: 'error' } }
  const host = await createTestHost({
    plugin,
    plugins: [telemetry],
    viewer,
    platform: { plugins: { telemetry: { config: { registry } } } }
  })
  t.after(() => host.close())
  const store = keelsonOf(host.app).use(telemetryStore)
  const error = { type: 'TypeError', message: 'x is undefined' }
  await store.emit('app.error', { tenantId: 'acme', service: 'checkout', error })
  await store.flush()
  const url = await host.listen()
  const { page, faults } = await openPage({ teardown: (close) => t.after(close) })
  await page.goto(`${url}/digest-plugin/digest`)
  await page.getByText('checkout').waitFor()
  assert.deepEqual(faults, [])
})
