// The Reputation page in a browser, before the real plugin.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import { browserOptions, closeBrowser, faultsInEveryLook, openPage } from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import german from '../pages/reputation/texts.de.json' with { type: 'json' }
import english from '../pages/reputation/texts.en.json' with { type: 'json' }
import plugin from '../plugin.ts'
import type { DomainRow, SnapshotRow } from '../storage/rows.ts'

tap.teardown(closeBrowser)

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
const GOOGLE = { clientId: 'client-1', clientSecret: 'secret-1', refreshToken: 'refresh-1' }

async function open(t: Test, more: object = {}) {
  const mailer = createMailerStandIn({ senderDomains: [{ domain: 'acme.test', kind: 'both' }] })
  const host = await createTestHost({
    plugin,
    plugins: [mailer.plugin],
    viewer,
    config: { adminTenants: ['acme'], ...more }
  })
  t.teardown(() => host.close())
  const url = await host.listen()
  const opened = await openPage(t)
  const show = () => opened.page.goto(`${url}/admin/mailer/reputation`)
  return { mailer, host, url, show, ...opened }
}

/** Plugins that are not enabled answer 404, which browsers note. */
const isUnexpected = (fault: string): boolean => !fault.includes('404')

test('the page without data is accessible, fits and says what to do', browserOptions, async (t) => {
  const { page, show, faults } = await open(t)
  await show()
  await page.getByText('Gmail is not connected').first().waitFor()
  t.equal(await page.locator('h1').textContent(), 'Reputation')
  t.equal(await page.getByRole('button', { name: 'Read now' }).count(), 0, 'there is no account')
  t.equal(await page.getByRole('button', { name: 'Copy the configuration' }).count(), 2)
  t.same(await faultsInEveryLook(page), [])
  t.same(faults.filter(isUnexpected), [])
})

test('what Gmail says about a domain is shown', browserOptions, async (t) => {
  const { page, show, host, faults } = await open(t, GOOGLE)
  const now = host.clock.now()
  const dayBefore = (days: number) =>
    new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  await host.db.collection<SnapshotRow>('postmaster_snapshots').insertMany(
    [1, 2, 3, 4, 5].map((days) => ({
      _id: `acme.test ${dayBefore(days)}`,
      domain: 'acme.test',
      source: 'v2',
      fetchedAt: now,
      date: dayBefore(days),
      userReportedSpamRatio: days === 1 ? 0.004 : 0.0005,
      domainReputation: null,
      spfSuccessRatio: 0.99,
      dkimSuccessRatio: 1,
      dmarcSuccessRatio: 0.98,
      inboundEncryptionRatio: 1,
      outboundEncryptionRatio: 1,
      deliveryErrors: [
        { errorClass: 'TEMPORARY_ERROR', errorType: 'RATE_LIMIT_EXCEEDED', errorRatio: 0.02 }
      ],
      spammyFeedbackLoops: []
    }))
  )
  await host.db.collection<DomainRow>('postmaster_domains').insertOne({
    _id: 'acme.test',
    attemptedAt: now,
    failures: 0,
    errorMessage: null,
    compliance: [
      { requirement: 'SPF', status: 'COMPLIANT', reason: null },
      { requirement: 'ONE_CLICK_UNSUBSCRIBE', status: 'NEEDS_WORK', reason: 'NO_UNSUB_GENERAL' },
      { requirement: 'ARC', status: 'LATER', reason: 'NEW_REASON' }
    ]
  })
  await show()
  await page.getByText('acme.test').first().waitFor()
  await page.getByText('0.4%').first().waitFor()
  await page.getByText('Most mails lack one-click unsubscribe.').waitFor()
  for (const code of ['ARC', 'LATER', 'NEW_REASON'])
    t.equal(await page.getByText(`Other (${code})`, { exact: true }).count(), 1, code)
  t.same(await faultsInEveryLook(page), [])
  t.same(faults.filter(isUnexpected), [])
})

/** As version 2 of the API documents them, and the tiers of version 1. */
const CODES = {
  tier: ['HIGH', 'MEDIUM', 'LOW', 'BAD'],
  status: ['STATE_UNSPECIFIED', 'COMPLIANT', 'NEEDS_WORK'],
  requirement: [
    'SPF',
    'DKIM',
    'SPF_AND_DKIM',
    'DMARC_POLICY',
    'DMARC_ALIGNMENT',
    'MESSAGE_FORMATTING',
    'DNS_RECORDS',
    'ENCRYPTION',
    'USER_REPORTED_SPAM_RATE',
    'ONE_CLICK_UNSUBSCRIBE',
    'HONOR_UNSUBSCRIBE'
  ],
  reason: [
    'NO_UNSUB_GENERAL',
    'NO_UNSUB_SPAM_REPORTS',
    'NO_UNSUB_PROMO_SPAM_REPORTS',
    'NOT_HONORING',
    'NOT_HONORING_TOO_FEW_CAMPAIGNS',
    'NOT_HONORING_TOO_MANY_CAMPAIGNS'
  ]
}

test('every code of Gmail that the page shows has words in both languages', async (t) => {
  const keys = Object.entries(CODES).flatMap(([kind, codes]) =>
    codes.map((code) => `reputation.${kind}.${code}`)
  )
  for (const texts of [english, german])
    t.same(
      keys.filter((key) => !(key in texts)),
      []
    )
})
