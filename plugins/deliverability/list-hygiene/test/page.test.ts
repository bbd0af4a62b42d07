// The List hygiene page in a browser, before the real plugin.
import { createMailerStandIn, createTestHost } from '@keelson/sdk/testing'
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  LOOKS,
  openPage,
  sideways
} from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import plugin from '../plugin.ts'

tap.teardown(closeBrowser)

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
async function open(t: Test, look: Parameters<typeof openPage>[1] = {}) {
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const host = await createTestHost({ plugin, plugins: [mailer.plugin], viewer, config: {} })
  t.teardown(() => host.close())
  const url = await host.listen()
  const opened = await openPage(t, look)
  const show = () => opened.page.goto(`${url}/admin/mailer/hygiene`)
  return { mailer, host, url, show, ...opened }
}

for (const look of LOOKS) {
  const name = `${look.colorScheme}, ${look.viewport.width} px`
  test(
    `the page without data is accessible, fits and says what to do: ${name}`,
    browserOptions,
    async (t) => {
      const { page, show, faults } = await open(t, look)
      await show()
      await page.getByText('No mail in the last 90 days').first().waitFor()
      t.equal(await page.locator('h1').textContent(), 'List hygiene')
      t.same(await accessibilityFaults(page), [])
      t.equal(await sideways({ page }), 0)
      t.same(faults, [])
    }
  )
}
