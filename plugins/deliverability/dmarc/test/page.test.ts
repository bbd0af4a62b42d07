// The DMARC page in a browser, before the real plugin.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import {
  accessibilityFaults,
  browserOptions,
  closeBrowser,
  faultsInEveryLook,
  openPage
} from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import type { DnsCheck, Domain } from '../pages/domains/answers.ts'
import { nextRecord } from '../pages/domains/setup-steps.ts'
import plugin from '../plugin.ts'
import { formOf } from './dmarc-host.ts'
import { reportXml } from './report-xml.ts'

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
  const show = () => opened.page.goto(`${url}/admin/mailer/dmarc`)
  return { mailer, host, url, show, ...opened }
}

test('the page without data is accessible, fits and says what to do', browserOptions, async (t) => {
  const { page, show, faults } = await open(t)
  await show()
  await page.getByText('No DMARC reports yet').first().waitFor()
  t.equal(await page.locator('h1').textContent(), 'DMARC')
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})

test(
  'an uploaded report shows its domain, and its failing source can be labelled',
  browserOptions,
  async (t) => {
    const { page, show, host, faults } = await open(t)
    const records = [
      { ip: '192.0.2.1', count: 90 },
      { ip: '203.0.113.7', count: 10, dkim: 'fail', spf: 'fail' }
    ]
    const xml = reportXml({ domain: 'acme.test', records })
    await show()
    await page.getByText('No DMARC reports yet').waitFor()
    const file = { name: 'report.xml', mimeType: 'application/xml', buffer: Buffer.from(xml) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText(/stored: 100 messages/).waitFor()
    await page.getByRole('heading', { name: 'Set-up of acme.test' }).waitFor()
    await page.getByText('1 unlabelled source fails').waitFor()
    t.same(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: /Label 203\.0\.113\.7/ }).click()
    await page.getByLabel('Label', { exact: true }).fill('Old office')
    await page.keyboard.press('Enter')
    await page.getByText('203.0.113.7 is labelled').waitFor()
    await page.getByText('No unlabelled source fails').waitFor()
    const tags = await host.db.collection('dmarc_source_tags').find().toArray()
    t.match(tags, [{ label: 'Old office' }])
    t.same(faults, [])
  }
)

test('the next record keeps where reports go', async (t) => {
  const domain = {
    domain: 'acme.test',
    progression: { policy: 'quarantine', pct: null, testing: true, reason: '' }
  } as unknown as Domain
  const check = {
    record: 'v=DMARC1; p=none; rua=mailto:d@acme.test',
    findings: []
  } as unknown as DnsCheck
  const facts = { domain, sources: [], check, reportAddress: null }
  t.equal(nextRecord(facts), 'v=DMARC1; p=quarantine; t=y; rua=mailto:d@acme.test')
  const pct = {
    ...domain,
    progression: { policy: 'quarantine', pct: 25, testing: false }
  } as Domain
  t.equal(
    nextRecord({ ...facts, domain: pct }),
    'v=DMARC1; p=quarantine; pct=25; rua=mailto:d@acme.test'
  )
  t.equal(nextRecord({ ...facts, domain: { ...domain, progression: null } }), null)
})

const failureMail = [
  'From: a@gateway.example',
  '',
  'Sender Domain: acme.test',
  'Sender IP Address: 192.0.2.4'
].join('\n')
const tlsReport = JSON.stringify({
  'organization-name': 'Company-X',
  'report-id': 'a',
  'date-range': {
    'start-datetime': '2026-04-01T00:00:00Z',
    'end-datetime': '2026-04-02T00:00:00Z'
  },
  policies: [
    {
      policy: { 'policy-type': 'sts', 'policy-domain': 'acme.test' },
      summary: { 'total-successful-session-count': 5, 'total-failure-session-count': 2 },
      'failure-details': [{ 'result-type': 'certificate-expired', 'failed-session-count': 2 }]
    }
  ]
})

test('reports, reported mails, TLS reports and alerts are shown', browserOptions, async (t) => {
  const { page, show, host, faults } = await open(t)
  const records = [
    { ip: '192.0.2.1', count: 900 },
    { ip: '203.0.113.7', count: 100, dkim: 'fail', spf: 'fail' }
  ]
  const now = host.clock.now()
  const end = new Date(now.getTime() - 86_400_000)
  const begin = new Date(end.getTime() - 86_400_000)
  const files = [reportXml({ records, begin, end }), failureMail, tlsReport]
  for (const content of files) {
    const form = formOf([{ field: 'file', filename: 'report', content }])
    await host.app.inject({ method: 'POST', url: '/admin/mailer/api/dmarc/upload', ...form })
  }
  const url = '/admin/mailer/api/dmarc/alerts/evaluate'
  await host.app.inject({ method: 'POST', url, payload: {} })
  await show()
  await page
    .getByText(/unknown source 203\.0\.113\.7/)
    .first()
    .waitFor()
  await page.getByRole('heading', { name: 'Reported mails' }).waitFor()
  await page.getByText('Company-X').waitFor()
  await page.getByText('Certificate expired').waitFor()
  t.same(await faultsInEveryLook(page), [])
  await page.getByRole('button', { name: 'Settings…' }).click()
  await page.getByLabel('Days to look back').waitFor()
  t.same(await faultsInEveryLook(page), [])
  t.same(faults, [])
})

test(
  'settings of monitoring are changed in a form, and reset to the config',
  browserOptions,
  async (t) => {
    const { page, show, host, faults } = await open(t)
    const stored = () => host.db.collection('dmarc_settings').findOne({})
    await show()
    await page.getByRole('button', { name: 'Settings…' }).click()
    await page.getByLabel('Days to look back').fill('14')
    await page.getByLabel('Lowest alignment, %').fill('95.5')
    await page.getByLabel('More domains to watch').fill('B.test, c.test')
    await page.keyboard.press('Enter')
    await page.getByText('Settings saved').waitFor()
    t.match(await stored(), {
      values: { windowDays: 14, alignmentMinRate: 0.955, extraDomains: ['b.test', 'c.test'] }
    })
    t.notMatch(await stored(), { values: { reportsStoppedDays: Number } }, 'the others stay')
    await page.getByRole('button', { name: 'Settings…' }).click()
    t.equal(await page.getByLabel('Days to look back').inputValue(), '14')
    await page.getByRole('button', { name: 'Reset to config' }).click()
    await page.getByText('Settings are those of the config').waitFor()
    t.equal(await stored(), null)
    t.same(faults, [])
  }
)
