// Watching a broadcast in a browser: how far it is, why it waits, and how a person lets it go on.
import { browserOptions, closeBrowser, faultsInEveryLook, textsOf } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import type { BroadcastDetail } from '../pages/broadcasts/answers.ts'
import { openMail, type PagePlatform, people, sharedPlatform } from './page-host.ts'
import { recorded } from './sent-mail.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(40) })
const BODY = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'
const PHONE = { viewport: { width: 380, height: 800 }, hasTouch: true }

async function prepare({ admin, acts }: PagePlatform): Promise<void> {
  for (const slug of ['news', 'news-b']) {
    const made = await admin('POST', '/templates', { slug, name: slug, kind: 'marketing' })
    if (made.status !== 201) return
    await admin('PATCH', `/templates/${slug}/draft`, { subject: 'News', html: BODY })
    await admin('POST', `/templates/${slug}/publish`, {})
  }
  for (let at = 1; at <= 36; at++)
    await acts.upsertSubscription({ externalId: `c${at}`, source: 'test' })
}

/** A broadcast that has started, its first mails out. */
async function started(platform: PagePlatform, slug: string, over: object = {}): Promise<void> {
  await prepare(platform)
  const segmentDefinition = { filters: [] }
  const fields = { slug, name: slug, templateSlug: 'news', segmentDefinition, ...over }
  await platform.admin('POST', '/broadcasts', fields)
  const counted = await platform.admin('POST', `/broadcasts/${slug}/segment/count`, {})
  const scheduledAt = platform.clock.now().toISOString()
  const confirmedCount = counted.body.recipientCount
  await platform.admin('POST', `/broadcasts/${slug}/schedule`, { scheduledAt, confirmedCount })
  await until(platform, slug, ({ status, splitPhase, progress, queuedCount }) => {
    const isQueued = status === 'paused' || status === 'sent' || splitPhase === 'deciding'
    return isQueued && progress.handed === queuedCount
  })
}

/** Lets time pass until a broadcast is as wanted. */
async function until(
  { admin, clock }: PagePlatform,
  slug: string,
  isThere: (detail: BroadcastDetail) => boolean
): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    const { body } = await admin('GET', `/broadcasts/${slug}`)
    if (isThere(body)) return
    await clock.advance(5000)
  }
  throw new Error(`${slug} does not get there`)
}

/** Says of some mails of a broadcast what became of them. */
async function mark(
  { db, clock }: PagePlatform,
  broadcastSlug: string,
  [from, to]: readonly [from: number, to: number],
  facts: object
): Promise<void> {
  const sends = db.collection('mailer_sends')
  const rows = await sends.find({ broadcastSlug }).sort({ externalId: 1 }).toArray()
  const ids = rows.slice(from, to).map(({ _id }) => _id)
  await sends.updateMany({ _id: { $in: ids } }, recorded(facts))
  await clock.advance(10_000)
}

const SPLIT = {
  variants: [
    { name: 'A', templateSlug: 'news' },
    { name: 'B', templateSlug: 'news-b' }
  ],
  testPercent: 50,
  winner: 'human_clicks',
  decideAfterHours: 4
}

test('an A/B test says who waits for the winner, and its arms share one denominator', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await started(platform, 'tested', { splitTest: SPLIT })
  const at = platform.clock.now()
  await mark(platform, 'tested', [0, 8], { openedAt: at, humanOpenedAt: at })
  await mark(platform, 'tested', [0, 4], { firstClickAt: at, humanClickedAt: at })
  await mark(platform, 'tested', [9, 12], { openedAt: at })
  await show('broadcast/tested')
  await page.getByText('of 36 handed off').waitFor()
  await page
    .getByText(/^18 people wait for the winner, decided at .+ by clicks by people\.$/)
    .waitFor()
  const arms = page.getByRole('region', { name: 'A/B test' })
  await arms.getByRole('columnheader', { name: 'Handed off' }).waitFor()
  t.same(await textsOf(arms.locator('tbody tr td:nth-child(2)')), ['9', '9'])
  await arms.getByText(/^Decided by clicks by people at /).waitFor()
  await page.getByText('3 by machines only, not counted').waitFor()
  t.same(faults, [])
})

test('a stop rule says why it paused, refuses a limit that is too low, and a higher one goes on', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  const stopRules = { minSample: 5, hardBounceRatePct: 2 }
  await started(platform, 'stopped', { recipientCap: 20, stopRules })
  const at = platform.clock.now()
  await mark(platform, 'stopped', [0, 2], { bouncedAt: at, bounceType: 'hard' })
  await until(platform, 'stopped', ({ pauseReason }) => pauseReason?.code === 'stop_rule')
  await show('broadcast/stopped')
  await page.getByText(/^Paused by its stop rule: Hard bounces are at 10% of 20 mails/).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByText('Hard bounces are 10% of 20 mails. The limit is 2%.').waitFor()
  await dialog.getByLabel('Limit, %').fill('5')
  await dialog.getByText('The limit must be above 10%.').waitFor()
  t.equal(await dialog.getByLabel('Type the number').count(), 0, 'no number is asked for')
  await dialog.getByLabel('Limit, %').fill('15')
  await dialog.getByLabel('Size of the next wave').fill('10')
  await dialog.getByText('Continue with 10 mails?').waitFor()
  await dialog.getByLabel('Type the number').fill('10')
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Broadcast resumed.').waitFor()
  await until(platform, 'stopped', ({ progress }) => progress.waves.length === 3)
  await page.getByText('Wave 2 of 3').waitFor({ timeout: 20_000 })
})

test('a stopped broadcast goes on without addresses that had no mail, by touch', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf, PHONE)
  const stopRules = { minSample: 5, hardBounceRatePct: 2 }
  await started(platform, 'careful', { recipientCap: 10, stopRules })
  const at = platform.clock.now()
  await mark(platform, 'careful', [0, 1], { bouncedAt: at, bounceType: 'hard' })
  await until(platform, 'careful', ({ pauseReason }) => pauseReason?.code === 'stop_rule')
  await show('broadcast/careful?show=resume')
  await page.getByLabel('Without addresses that had no mail before').tap()
  const typed = page.getByLabel('Type the number')
  const heading = page.getByText(/^Continue with \d+ mails\?$/)
  await heading.waitFor()
  const counted = await platform.admin('POST', '/broadcasts/careful/segment/count', {
    recipientCap: null,
    leaveOut: 'never_mailed'
  })
  await typed.fill(String(counted.body.recipientCount))
  await page.locator('keelson-dialog').getByRole('button', { name: 'Resume' }).tap()
  await page.getByText('Broadcast resumed.').waitFor()
})

test(
  'the list follows the figures, with one request in five seconds',
  browserOptions,
  async (t) => {
    const { page, show, platform } = await openMail(t, platformOf)
    await started(platform, 'live', { recipientCap: 3 })
    await show('broadcast/live')
    await page.getByRole('link', { name: 'c1@example.test' }).waitFor()
    const asked: number[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/broadcasts/live')) asked.push(Date.now())
    })
    const { db, clock } = platform
    const one = { broadcastSlug: 'live', externalId: 'c1' }
    const facts = recorded({ bouncedAt: clock.now(), bounceType: 'hard', errorMessage: '550 no' })
    await db.collection('mailer_sends').updateOne(one, facts)
    await page.getByText('550 no').waitFor({ timeout: 20_000 })
    t.ok(asked.length >= 2)
    const gaps = asked.slice(1).map((time, at) => time - (asked[at] ?? 0))
    t.ok(
      gaps.every((gap) => gap > 4000),
      `${gaps}`
    )
    await page.getByRole('link', { name: /^Needs a look 1/ }).click()
    await page.getByText('550 no').waitFor()
    t.equal(await page.getByRole('link', { name: 'c2@example.test' }).count(), 0)
  }
)

test('stop rules of a finished broadcast say what was counted', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  const stopRules = { minSample: 5, hardBounceRatePct: 20 }
  await started(platform, 'over', { recipientCap: 36, stopRules })
  await mark(platform, 'over', [0, 2], { bouncedAt: platform.clock.now(), bounceType: 'hard' })
  await show('broadcast/over')
  const rules = page.getByRole('region', { name: 'Stop rules' })
  await rules.getByText('within the limits').waitFor()
  await rules.getByText('2 in all').waitFor()
  t.equal(await rules.getByText(/more pause|pauses it/).count(), 0)
})

test('a finished broadcast is sent again to people who did not open it, by keyboard', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await started(platform, 'first-time', { recipientCap: 36 })
  const at = platform.clock.now()
  await mark(platform, 'first-time', [0, 30], { openedAt: at, humanOpenedAt: at })
  await show('broadcast/first-time')
  await page.getByText('4 of 40 contacts were left out: 4 not subscribed.').waitFor()
  await page.getByRole('button', { name: 'Resend to non-openers' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Second time')
  await page.keyboard.press('Enter')
  await page.waitForURL(/broadcast\/second-time$/)
  await page.getByText('6 recipients').waitFor()
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('Contacts matched').waitFor()
})

test('failed mails are sent again when their number is typed', browserOptions, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await started(platform, 'fails', { recipientCap: 36 })
  await mark(platform, 'fails', [0, 3], { handoff: 'failed', exitReason: 'attempts_used_up' })
  await show('broadcast/fails')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Send 3 failed mails again?').waitFor()
  const send = page.locator('keelson-dialog').getByRole('button', { name: 'Send again' })
  const number = page.getByLabel('Type the number of mails')
  await number.fill('2')
  t.ok(await send.isDisabled())
  await number.fill('3')
  await send.click()
  await page.getByText('The failed mails are sent again.').waitFor()
  await until(
    platform,
    'fails',
    ({ retryable, progress }) => retryable === 0 && progress.handed === 36
  )
  t.same(faults, [])
})

test(
  'a broadcast is duplicated as a draft with its mail and audience',
  browserOptions,
  async (t) => {
    const { page, show, platform } = await openMail(t, platformOf)
    const segmentDefinition = {
      filters: [{ kind: 'fieldEquals', field: 'firstName', value: 'Name7' }]
    }
    await started(platform, 'original', { segmentDefinition })
    await show('broadcast/original')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('dialog', { name: 'Duplicate original' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('The copy')
    await page.keyboard.press('Enter')
    await page.waitForURL(/broadcast\/the-copy$/)
    await page.getByText('1 recipient', { exact: true }).waitFor()
    const { body } = await platform.admin('GET', '/broadcasts/the-copy')
    t.match(body, { status: 'draft', templateSlug: 'news', segmentDefinition })
  }
)

test('contacts that were left out are listed by their reason', browserOptions, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await prepare(platform)
  const email = 'c36@example.test'
  const added = { email, scope: 'all', reason: 'manual' }
  await platform.admin('POST', '/suppressions', added)
  t.teardown(() => platform.admin('POST', '/suppressions/release', { email, scope: 'all' }))
  await started(platform, 'left')
  await show('broadcast/left')
  await page.getByText(/^5 of 40 .*: 4 not subscribed and 1 suppressed\.$/).waitFor()
  await page.getByRole('link', { name: 'Left out 5' }).click()
  const rows = page.locator('tr[data-id]')
  await rows.nth(4).waitFor()
  await page.getByRole('link', { name: 'suppressed 1' }).click()
  await rows.nth(1).waitFor({ state: 'detached' })
  t.match(await rows.first().textContent(), /c36.*added by hand/s)
  t.match(page.url(), /leftOut=suppressed/)
  await rows.first().getByRole('link').click()
  await page.waitForURL(/contact\/c36$/)
  await page.getByText('No marketing mail: the address was suppressed by hand.').waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('link', { name: /Left out of left: / }).waitFor()
  t.same(faults, [])
})

test('a page that sends does not move, calls the API four times, and passes axe', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  await started(platform, 'steady', { splitTest: SPLIT })
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/admin/mailer/api/')) calls.push(request.url())
  })
  await page.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value
    }).observe({ type: 'layout-shift', buffered: true })`)
  await show('broadcast/steady')
  await page
    .getByText(/^c\d+@example\.test$/)
    .first()
    .waitFor()
  await page.getByText('No link was clicked yet.').waitFor()
  t.ok(calls.length <= 4, calls.join(' '))
  const at = platform.clock.now()
  await mark(platform, 'steady', [0, 3], { bouncedAt: at, bounceType: 'soft' })
  await mark(platform, 'steady', [4, 5], { handoff: 'unknown' })
  await page.getByText('Review 1').waitFor({ timeout: 20_000 })
  const shifted = Number(await page.evaluate('window.shifted'))
  t.ok(shifted <= 0.05, `${shifted}`)
  t.same(await faultsInEveryLook(page), [])
})
