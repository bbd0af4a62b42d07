// Deliverability and Health in a browser, before the real plugin.
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import {
  browserOptions,
  closeBrowser,
  faultsInEveryLook,
  openPage,
  textsOf
} from '@keelson/ui/testing'
import tap, { type Test, test } from 'tap'
import plugin from '../plugin.ts'
import { outcomes } from './outcome.ts'

tap.teardown(closeBrowser)

const viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ada' }
type Core = NonNullable<Parameters<typeof createMailerStandIn>[0]>['core']
async function open(t: Test, core: Core = {}) {
  const mailer = createMailerStandIn({ core })
  const config = { minSendsBeforeEval: 5, adminTenants: ['acme'] }
  const host = await createTestHost({ plugin, plugins: [mailer.plugin], viewer, config })
  t.teardown(() => host.close())
  const url = await host.listen()
  const opened = await openPage(t)
  const show = (path: string) => opened.page.goto(`${url}/admin/mailer/${path}`)
  const trip = async () => {
    const occurredAt = host.clock.now()
    const sent = outcomes(10, { type: 'accepted', occurredAt })
    mailer.outcomes.push(...sent, ...outcomes(3, { type: 'hard_bounce', occurredAt }))
    await mailer.tick()
  }
  return { mailer, host, show, trip, ...opened }
}

/** Plugins that are not enabled answer 404, which browsers note. */
const isUnexpected = (fault: string): boolean => !fault.includes('404')

test('both pages are accessible and fit', browserOptions, async (t) => {
  const { page, show, trip, faults } = await open(t)
  await show('deliverability')
  await page.getByText('No sender domain yet').waitFor()
  t.same(await faultsInEveryLook(page), [])
  await trip()
  for (const [path, words] of [
    ['deliverability', 'Can I send now?'],
    ['health', 'Sender domains']
  ] as const) {
    await show(path)
    await page.getByText(words).waitFor()
    await page
      .getByRole('button', { name: /Resume/ })
      .first()
      .waitFor()
    t.same(await faultsInEveryLook(page), [], path)
  }
  await page.getByRole('heading', { name: /^Before you resume/ }).waitFor()
  await page
    .getByText(/Hard bounces .* limit/)
    .first()
    .waitFor()
  await page.getByText('SPF, DKIM and DMARC were not checked.').waitFor()
  t.same(faults.filter(isUnexpected), [])
})

test('a tripped domain says no and why, and is resumed by keyboard', browserOptions, async (t) => {
  const { page, show, trip, mailer } = await open(t)
  await trip()
  await show('deliverability')
  await page.locator('.verdict').first().waitFor()
  t.match(await page.locator('.verdict').first().textContent(), /No\s.*marketing/s)
  await page.getByRole('button', { name: 'Resume', exact: true }).focus()
  await page.keyboard.press('Enter')
  const answer = page.locator('keelson-dialog').getByRole('button', { name: 'Resume', exact: true })
  await answer.waitFor()
  await answer.focus()
  await page.keyboard.press('Enter')
  await page.getByText(/is resumed/).waitFor()
  await page.locator('.verdict strong.good').first().waitFor()
  const actions = mailer.callsOf('audit').map(([{ action }]) => action)
  t.same([...new Set(actions)], ['health.trip', 'health.resume'])
})

test(
  'what is still wrong comes first, and the safe way leaves out before it resumes',
  browserOptions,
  async (t) => {
    const news = { slug: 'news', name: 'Winter offer' }
    const asked: unknown[] = []
    const { page, show, trip, faults } = await open(t, {
      countHeld: async () => 12,
      async heldBroadcasts(by) {
        asked.push(by)
        return [{ ...news, held: 9018, risky: 34 }]
      },
      async broadcastBehind(mails) {
        asked.push(mails)
        return news
      }
    })
    await trip()
    const calls: string[] = []
    const behind = 'status=bounced&kind=marketing&sender=acme.test'
    await page.route('**/api/broadcasts/news/*', (route) => {
      calls.push(`resume ${route.request().postData()}`)
      return route.fulfill({ json: {} })
    })
    page.on('request', (request) => {
      if (request.url().endsWith('/health/resume')) calls.push('domain')
    })
    await show('health')
    await page.getByRole('button', { name: 'Resume marketing mail from acme.test?' }).click()
    await page.getByText('9,030 held mails start to leave.').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    asked.length = 0
    await page.setViewportSize({ width: 380, height: 900 })
    await show('deliverability')
    const card = page.locator('section.before')
    await card.getByText('9,018 mails are held of').waitFor()
    await card.getByText('12 mails of flows are held.').waitFor()
    t.same(asked, ['circuit-breaker:acme.test', { senderDomain: 'acme.test', status: 'bounced' }])
    const first = await card.getByRole('listitem').first().textContent()
    t.match(first, /Still wrong:.*3 of 10.*all from Winter offer/s)
    const link = card.getByRole('link', { name: /Look at it: Hard/ })
    t.match(await link.getAttribute('href'), `/sends?${behind}&broadcast=news`)
    const bars = await page.locator('.verdict a[href*="/sends"]').first().getAttribute('href')
    t.match(bars, 'sender=acme.test&broadcast=news')
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 380))
    const buttons = await card.getByRole('button').allTextContents()
    t.same(buttons, ['Leave out 34 and resume', 'Resume all 9,030'])
    await card.getByRole('button', { name: 'Leave out 34 and resume' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('keelson-dialog')
    await dialog.getByRole('button', { name: 'Leave out 34 and resume' }).click()
    await page.getByText(/is resumed/).waitFor()
    t.same(calls, ['resume {"confirmedCount":8984,"leaveOut":"never_mailed"}', 'domain'])
    await page.getByText(/^Resumed .*No mail since/).waitFor()
    t.same(faults.filter(isUnexpected), [])
  }
)

const SERIES = [0.97, 0.98, null, 0.985, 0.978].map((alignmentRate, at) => {
  return { day: `2026-11-2${at}`, messages: 100, alignmentRate }
})
const sender = (sourceIp: string, more: object) => {
  const none = { ptr: null, label: null, ignored: false, aligned: 0, dkim: 0, spf: 0 }
  return { sourceIp, ...none, lastSeen: '2026-11-21', ...more }
}
const READINESS = {
  domains: [
    {
      domain: 'acme.test',
      state: 'failed',
      items: ['spf', 'dmarc'].map((id) => ({
        id,
        label: id.toUpperCase(),
        state: 'failed',
        message: 'No record found.',
        requiredBy: ['gmail'],
        fix: { name: `_${id}.acme.test`, type: 'TXT', value: `v=${id}1` }
      })),
      alignment: {
        rate: 0.9797,
        messages: 6249,
        currentPolicy: 'none',
        series: SERIES,
        conditions: {
          days: 30,
          reports: 34,
          minReports: 30,
          messages: 6249,
          minMessages: 1000,
          aligned: 0.979,
          minAligned: 0.99
        }
      },
      senders: {
        total: 12,
        shown: [
          sender('198.51.100.7', { messages: 61, ptr: 'web3.hosting.example' }),
          sender('192.0.2.10', { messages: 9204, aligned: 9190, dkim: 9204, label: 'Own server' }),
          sender('203.0.113.5', { messages: 97, aligned: 74, label: 'Mailing list', ignored: true })
        ]
      }
    }
  ]
}
const listing = (listLabel: string, result: string, more: object = {}) => {
  return {
    target: 'acme.test',
    targetKind: 'domain',
    listLabel,
    result,
    category: null,
    codes: [],
    ...more
  }
}
const LISTS = {
  checks: [
    listing('SURBL', 'clean'),
    listing('Spamhaus ZEN', 'listed', {
      target: '192.0.2.10',
      targetKind: 'ip',
      category: 'policy',
      codes: [{ meaning: 'Not a spam listing' }]
    }),
    listing('Spamhaus DBL', 'listed', { category: 'reputation' }),
    listing('SURBL', 'error', { target: 'other.test' })
  ]
}
const DAY = { userReportedSpamRatio: 0.0006 }
const GMAIL = {
  domains: [
    {
      domain: 'acme.test',
      level: 'ok',
      message: '',
      compliance: [{ status: 'COMPLIANT' }, { status: 'NEEDS_WORK' }],
      latest: { ...DAY, date: '2026-11-20', deliveryErrors: [{ errorRatio: 0.004 }] },
      history: [
        { ...DAY, date: '2026-11-20' },
        { ...DAY, date: '2026-11-19', userReportedSpamRatio: 0.0012 }
      ]
    }
  ]
}

test('charts show what receivers say, and records are copied with one click, in four calls', {
  ...browserOptions
}, async (t) => {
  const { page, show, trip, faults } = await open(t)
  await trip()
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/admin/mailer/api/'))
      calls.push(request.url())
  })
  for (const [path, json] of [
    ['readiness', READINESS],
    ['postmaster', GMAIL],
    ['dnsbl', LISTS]
  ] as const)
    await page.route(`**/admin/mailer/api/${path}*`, (route) => route.fulfill({ json }))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await show('deliverability?sender=acme.test%7Cmarketing')
  await page.getByRole('img', { name: /^Spam rate by day, 0\.06% on the latest day/ }).waitFor()
  await page.getByRole('img', { name: /^Aligned share by day, 97\.9% in all/ }).waitFor()
  await page.getByText('34, needs 30').waitFor()
  for (const words of ['1 of 2 met', '0.4%']) await page.getByText(words, { exact: true }).waitFor()
  // While a domain is tripped, what it holds and what bounced are read too.
  const usual = calls.filter((url) => !/\/(broadcasts|sends)\b/.test(url))
  t.ok(usual.length <= 4, calls.join(' '))
  const senders = page.getByRole('region', { name: 'Who sends as this domain' })
  const cells = senders.locator('tbody tr').locator('td:nth-child(1) b, td:nth-child(6)')
  t.same(await textsOf(cells), [
    'web3.hosting.example',
    'unknown',
    'Own server',
    'good',
    'Mailing list',
    'ignored'
  ])
  await senders.getByText('99.8%').waitFor()
  await senders.getByText('3 of 12 sources').waitFor()
  await senders.getByRole('link', { name: 'Name 1 unknown source' }).waitFor()
  const lists = page.getByRole('region', { name: 'Block lists' }).locator('tbody tr')
  t.same(await textsOf(lists.locator('td:nth-child(1), td:nth-child(3)')), [
    'Spamhaus DBL',
    'listed',
    'Spamhaus ZEN',
    'policy only',
    'SURBL',
    'not listed'
  ])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy all 2 records' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const lines = ['_spf.acme.test. IN TXT "v=spf1"', '_dmarc.acme.test. IN TXT "v=dmarc1"']
  t.equal(await copied(), lines.join('\n'))
  await page.getByRole('button', { name: 'Copy all', exact: true }).first().click()
  await page.getByRole('button', { name: 'Copied' }).first().waitFor()
  t.same(await faultsInEveryLook(page), [])
  t.same(faults.filter(isUnexpected), [])
  const link = page.getByRole('link', { name: 'Hard bounces: see the mails' }).first()
  t.match(await link.getAttribute('href'), /sends\?.*status=bounced/)
})

test(
  'with DNS checks off the page says so at once, and does not ask for a check',
  browserOptions,
  async (t) => {
    const { page, show, trip } = await open(t)
    await trip()
    const answer = async (dnsChecks: boolean) => {
      await page.unroute('**/admin/mailer/api/readiness*')
      await page.route('**/admin/mailer/api/readiness*', (route) =>
        route.fulfill({ json: { ...READINESS, dnsChecks } })
      )
      await show('deliverability?sender=acme.test%7Cmarketing')
    }
    const check = page.getByRole('button', { name: 'Check DNS' })
    await answer(false)
    await page.getByText('DNS checks are off').waitFor()
    t.equal(await check.count(), 0)
    await answer(true)
    await check.waitFor()
    t.equal(await page.getByText('DNS checks are off').count(), 0)
  }
)

test('without the DMARC plugin the checklist says how to get it', browserOptions, async (t) => {
  const { page, show, trip } = await open(t)
  await trip()
  await show('deliverability')
  await page.getByText('Enable the DMARC plugin').waitFor()
  t.equal(await page.locator('h1').textContent(), 'Deliverability')
})

test('a read that fails says so and can be tried again', browserOptions, async (t) => {
  const { page, show } = await open(t)
  await page.route('**/api/health*', (route) =>
    route.request().resourceType() === 'document'
      ? route.continue()
      : route.fulfill({ status: 500, json: { error: 'broken' } })
  )
  await show('deliverability')
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await page.unroute('**/api/health*')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText('No sender domain yet').waitFor()
})
