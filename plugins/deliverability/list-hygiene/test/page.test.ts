// The List hygiene page in a browser, before the real plugin.
import type { MailOutcome } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, faultsInEveryLook, openPage } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import plugin from '../plugin.ts'

tap.teardown(closeBrowser)

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
async function open(t: Test) {
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    config: { adminTenants: ['acme'] }
  })
  t.teardown(() => host.close())
  const url = await host.listen()
  const opened = await openPage(t)
  const show = () => opened.page.goto(`${url}/admin/mailer/hygiene`)
  return { mailer, host, url, show, ...opened }
}

test('the page without data is accessible, fits and says what to do', browserOptions, async (t) => {
  const { page, show, faults } = await open(t)
  await show()
  await page.getByText('No mail in the last 90 days').first().waitFor()
  t.equal(await page.locator('h1').textContent(), 'List hygiene')
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})

test('engagement and the sunset are shown', browserOptions, async (t) => {
  const { page, show, host, mailer, faults } = await open(t)
  const ago = (days: number) => new Date(host.clock.now().getTime() - days * 86_400_000)
  for (const [at, days] of [3, 45, 75, 120, 200, null].entries()) {
    mailer.subscribers.push({
      externalId: `c${at}`,
      status: 'subscribed',
      subscribedAt: ago(400),
      firstSentAt: ago(300),
      lastEngagedAt: days === null ? null : ago(days)
    })
    const happened = { externalId: `c${at}`, occurredAt: host.clock.now() }
    const types = days === null ? (['accepted', 'hard_bounce'] as const) : (['accepted'] as const)
    for (const type of types) mailer.outcomes.push({ type, ...happened } as MailOutcome)
  }
  await show()
  await page.getByText('Last 30 days').first().waitFor()
  await page.getByText('If you stop mailing them').waitFor()
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})
