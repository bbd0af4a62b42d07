// The script of the documentation that embeds the pages of a running demo, on the site of the documentation.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserOptions, closeBrowser, openPage } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import { sharedDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { freePort, ROOT } from '../hosts/processes.ts'
import { signIn, startForeignAdmin } from './demo-in-browser.ts'

tap.teardown(closeBrowser)
tap.teardown(stopSharedDemo)

const document = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Docs</title>
<main></main><script type="module">${readFileSync(join(ROOT, 'docs/site/live.js'), 'utf8')}</script>`

test(
  'the documentation shows the pages of a running demo, one after the other',
  browserOptions,
  async (t) => {
    const demo = await sharedDemo()
    const { page, faults } = await openPage(t)
    const site = await startForeignAdmin(t, document, demo.origins.at(-1))
    await signIn(page, demo, 'admin@acme.test', '/telemetry/events')
    await page.goto(`${site}/?demo=${encodeURIComponent(demo.url)}`)
    await page.locator('telemetry-dashboard-events tbody tr[data-id]').first().waitFor()
    await page.getByLabel('Page').selectOption({ label: 'Templates (mailer)' })
    await page.locator('mailer-templates tbody tr').first().waitFor()
    t.equal(await page.locator('telemetry-dashboard-events').count(), 0, 'one at a time')
    t.same(faults, [])
  }
)

test('without a demo the documentation says how to start one', browserOptions, async (t) => {
  const { page } = await openPage(t)
  const site = await startForeignAdmin(t, document)
  const nowhere = `http://127.0.0.1:${await freePort()}`
  await page.goto(`${site}/?demo=${encodeURIComponent(nowhere)}`)
  await page.getByText(`KEELSON_EMBED_ORIGINS=${site} npm start`).waitFor()
  t.equal(await page.getByLabel('Page').isVisible(), false, 'there is nothing to choose')
})
