// Waves and tests of subjects in a browser: drafted, confirmed, watched, held, and sent before their time.
import { browserOptions, closeBrowser, textsOf } from '@keelson/ui/testing'
import tap, { test } from 'tap'
import type { BroadcastDetail } from '../pages/broadcasts/answers.ts'
import { openMail, type PagePlatform, people, sharedPlatform } from './page-host.ts'
import { recorded } from './sent-mail.ts'

tap.teardown(closeBrowser)
const platformOf = sharedPlatform(tap, { people: people(40) })
const BODY = '<p>Hello</p><a href="{{unsubscribeUrl}}">Unsubscribe</a>'
const MINUTE = 60_000

/** A draft, its template published and 40 people subscribed. */
async function drafted(platform: PagePlatform, slug: string, over: object = {}): Promise<void> {
  const { admin, acts } = platform
  const made = await admin('POST', '/templates', { slug: 'news', name: 'News', kind: 'marketing' })
  if (made.status === 201) {
    await admin('PATCH', '/templates/news/draft', { subject: 'News', html: BODY })
    await admin('POST', '/templates/news/publish', {})
    for (let at = 1; at <= 40; at++)
      await acts.upsertSubscription({ externalId: `c${at}`, source: 'test' })
  }
  const fields = { slug, name: slug, templateSlug: 'news', segmentDefinition: { filters: [] } }
  await admin('POST', '/broadcasts', { ...fields, ...over })
}

async function started(platform: PagePlatform, slug: string, over: object): Promise<void> {
  await drafted(platform, slug, over)
  const scheduledAt = platform.clock.now().toISOString()
  const body = { scheduledAt, confirmedCount: 40 }
  await platform.admin('POST', `/broadcasts/${slug}/schedule`, body)
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

const isOut =
  (count: number) =>
  ({ progress, waiting }: BroadcastDetail): boolean =>
    progress.handed === count && waiting.some(({ reason }) => reason === 'wave')

test('waves are chosen, confirmed as one number, and go out one after the other', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await drafted(platform, 'waves')
  await show('broadcast/waves')
  await page.getByLabel('Pace').selectOption('In waves, one after the other')
  await page.getByText(/^In 4 waves of 10, 1 hrs? apart\./).waitFor()
  await page.getByLabel('Counted in').selectOption('people')
  await page.getByLabel('Size of each wave').fill('16')
  await page.getByLabel('Time between waves').selectOption('15')
  await page.getByText(/^In 3 waves of 16, 15 mins? apart\./).waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByText('Send waves to 40 people?').waitFor()
  await dialog.getByText(/^In 3 waves of 16, 15 mins? apart\./).waitFor()
  await dialog.getByLabel('Type the number').fill('40')
  await dialog.getByRole('button', { name: 'Send to 40 people' }).click()
  await page.getByText('Scheduled.').waitFor()
  await until(platform, 'waves', isOut(16))
  await page.getByText(/^Wave 1 of 3 · .*next wave/).waitFor({ timeout: 20_000 })
  await page.getByText(/^24 people wait for the next waves\. The next one starts /).waitFor()
  await page.getByRole('button', { name: 'Send next wave now' }).click()
  await page.getByText('The next wave goes out.').waitFor()
  await until(platform, 'waves', isOut(32))
  await platform.clock.advance(15 * MINUTE)
  await until(platform, 'waves', ({ status }) => status === 'sent')
  const next = page.getByRole('button', { name: 'Send next wave now' })
  await next.waitFor({ state: 'detached' })
  t.same(faults, [])
})

test('a wave that a stop rule holds says so', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf)
  const stopRules = { minSample: 5, hardBounceRatePct: 2 }
  await started(platform, 'held', { wavePlan: { percent: 25, everyMinutes: 60 }, stopRules })
  await until(platform, 'held', isOut(10))
  const facts = { bouncedAt: platform.clock.now(), bounceType: 'hard' } as const
  const one = { broadcastSlug: 'held', externalId: 'c1' }
  await platform.db.collection('mailer_sends').updateOne(one, recorded(facts))
  await until(platform, 'held', ({ status }) => status === 'paused')
  await show('broadcast/held')
  await page.getByText(/^Paused by its stop rule: Hard bounces are at 10% of 10 mails/).waitFor()
  const words = '30 people wait for the next wave. The stop rule holds it.'
  await page.getByText(words).waitFor()
  await page.getByText('0 of 10 held').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByText('Continue with 30 mails?').waitFor()
  t.equal(await dialog.getByLabel('Size of the next wave').count(), 0, 'its plan has the size')
})

test('subjects of one template are tested, and the table of results shows them', {
  ...browserOptions
}, async (t) => {
  const { page, show, platform, faults } = await openMail(t, platformOf)
  await drafted(platform, 'subjects')
  await show('broadcast/subjects')
  await page.getByLabel('What is tested').selectOption('subjects')
  await page.getByText('Write a different subject or preheader for each arm.').waitFor()
  const armOf = (name: string) => page.getByRole('group', { name: `Arm ${name}`, exact: true })
  t.equal(await armOf('A').getByLabel('Subject').inputValue(), 'News')
  await armOf('B').getByLabel('Subject').fill('For {{contact.fields.firstName}}')
  await page.getByRole('button', { name: 'Add arm C' }).click()
  await armOf('C').getByLabel('Preheader').fill('Only this week')
  await page.getByLabel('Share in the test, %').fill('30')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'B', exact: true }).click()
  await page.getByText('For Name1').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.locator('keelson-dialog')
  await dialog.getByText('30% get A / B / C; the winner goes to the rest 4 hours later.').waitFor()
  await dialog.getByLabel('Type the number').fill('40')
  await dialog.getByRole('button', { name: 'Send to 40 people' }).click()
  await page.getByText('Scheduled.').waitFor()
  await until(platform, 'subjects', ({ progress }) => progress.handed === 12)
  await show('broadcast/subjects')
  const arms = page.getByRole('region', { name: 'A/B test' })
  await arms.getByText('For {{contact.fields.firstName}}').waitFor()
  t.same(await textsOf(arms.locator('tbody tr td:nth-child(2)')), ['4', '4', '4'])
  const sends = platform.db.collection('mailer_sends')
  const read = await sends.distinct('subject', { broadcastSlug: 'subjects', arm: 'B' })
  t.ok(
    read.every((subject) => /^For Name\d+$/.test(subject)),
    `${read}`
  )
  t.same(faults, [])
})

test('waves by the dozen have one line of words, on a phone too', browserOptions, async (t) => {
  const { page, show, platform } = await openMail(t, platformOf, {
    viewport: { width: 380, height: 800 }
  })
  await started(platform, 'many', { wavePlan: { people: 2, everyMinutes: 60 } })
  await until(platform, 'many', isOut(2))
  await page.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value
    }).observe({ type: 'layout-shift', buffered: true })`)
  await drafted(platform, 'still', { wavePlan: { people: 2, everyMinutes: 60 } })
  await show('broadcast/still')
  await page.getByText(/^In 20 waves of 2/).waitFor()
  t.ok(Number(await page.evaluate('window.shifted')) <= 0.05, 'a draft does not move')
  await show('broadcast/many')
  await page.getByText(/^1 2 of 2 from /).waitFor()
  t.ok(Number(await page.evaluate('window.shifted')) <= 0.05, 'nor does what is watched')
  await page.getByText(/^2 0 of 2 starts /).waitFor()
  const wide = await page.evaluate('document.scrollingElement.scrollWidth')
  t.equal(wide, 380)
})
