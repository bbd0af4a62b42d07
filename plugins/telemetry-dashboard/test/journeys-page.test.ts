// The Journeys page: what it makes of families and answers, and the page in a browser.
import type { FunnelStage } from '@keelson/telemetry'
import { createFormat, registerCatalog, translate } from '@keelson/ui'
import {
  accessibilityFaults,
  faultsInEveryLook,
  holdAnswers,
  shownText,
  textsOf
} from '@keelson/ui/testing'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { timelineColumns } from '../pages/journey/subject.ts'
import { sinceFirst, timelineOf, transitionsOf } from '../pages/journey/timeline.ts'
import {
  activityFamilies,
  allFamilies,
  followingStages,
  milestoneFamilies,
  possibleFunnels,
  stagesOf,
  toggleStage
} from '../pages/journeys/families.ts'
import { biggestDrop, cameThrough } from '../pages/journeys/funnel.ts'
import { shadeOf, totals } from '../pages/journeys/retention.ts'
import {
  rollupColumns,
  rollupNotes,
  type Total,
  type Totals
} from '../pages/journeys/rollup-columns.ts'
import texts from '../pages/journeys/texts.en.json' with { type: 'json' }
import { recordColumns } from '../pages/records/columns.ts'
import type { RecordRow } from '../pages/records/record.ts'
import type { RegistryAnswer } from '../pages/registry.ts'
import type { RollupAnswer } from '../pages/requests.ts'
import { exactly, noBrowser, type OpenOptions, openPage, parent } from './browser.ts'
import { EMPTY, PLATFORM } from './fake-store.ts'
import { spend } from './sample-journeys.ts'
import { SAMPLE_REGISTRY, sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(900, Date.now())
const registry = { registry: SAMPLE_REGISTRY } as unknown as RegistryAnswer
const params = (query: string) => new URLSearchParams(query)

test('milestones are lifetime families by subject, activity the bucketed ones', async (t) => {
  const names = (families: readonly { as: string }[]) => families.map(({ as }) => as)
  t.same(names(milestoneFamilies(registry)), ['signed_up', 'first_order'])
  t.same(names(activityFamilies(registry)), ['daily_active'])
  t.same(names(allFamilies(registry)), [
    'daily_active',
    'first_order',
    'issues',
    'signed_up',
    'spend'
  ])
})

test('families are labelled in the language of the page, where their plugin has it', async (t) => {
  const one = { by: ['subject'], bucket: null, sum: [], subjects: [] }
  const rollups = [
    { ...one, as: 'mail_sent', label: 'Mail sent', labels: { de: 'Mail gesendet' } },
    { ...one, as: 'signed_up', label: 'Signed up' }
  ]
  const labelsIn = (language: string) =>
    milestoneFamilies({ registry: { x: { rollups } }, language } as unknown as RegistryAnswer).map(
      ({ label }) => label
    )
  t.same(labelsIn('de'), ['Mail gesendet', 'Signed up'])
  t.same(labelsIn('de-AT'), ['Mail gesendet', 'Signed up'])
  t.same(labelsIn('fr'), ['Mail sent', 'Signed up'])
})

const stage = (as: string, subjects: number, notReached = 0) => ({ as, subjects, notReached })

test('milestones follow on each other when most of who is there came through the one before', async (t) => {
  t.same(
    followingStages([
      stage('signed_up', 100),
      stage('activated', 60, 40),
      stage('cancelled', 10, 59),
      stage('unheard', 0, 10)
    ]),
    { stages: ['signed_up', 'activated', 'unheard'], exits: ['cancelled'] }
  )
  t.same(followingStages([stage('a', 4), stage('b', 2, 3)]), { stages: ['a', 'b'], exits: [] })
  t.same(followingStages([stage('a', 9), stage('b', 3, 9), stage('c', 2, 3)]), {
    stages: ['a', 'c'],
    exits: ['b']
  })
  t.same(followingStages([]), { stages: [], exits: [] })
})

test('a funnel begins with all milestones, or after those of the first area', async (t) => {
  const mail = ['mail_sent', 'mail_opened']
  t.same(possibleFunnels([...mail, 'signed_up', 'mail_clicked']), [
    [...mail, 'signed_up', 'mail_clicked'],
    ['signed_up', 'mail_clicked']
  ])
  t.same(possibleFunnels(['signed_up', ...mail]), [['signed_up', ...mail]])
  t.same(possibleFunnels(mail), [mail])
  t.same(possibleFunnels([]), [[]])
})

test('stages are those of the address, else all milestones that follow', async (t) => {
  const families = ['signed_up', 'activated', 'cancelled'].map((as) => ({ as, label: as }))
  const following = { stages: ['signed_up', 'activated'], exits: ['cancelled'] }
  t.same(stagesOf(families, params(''), following), following)
  t.same(stagesOf(families, params(''), undefined), { stages: [], exits: [] })
  t.same(stagesOf(families, params('stages=activated,unheard,activated'), following), {
    stages: ['activated'],
    exits: ['cancelled']
  })
  t.same(stagesOf(families, params('stages=signed_up,cancelled'), following), {
    stages: ['signed_up', 'cancelled'],
    exits: []
  })
})

test('a milestone of leaving is not an aim, even when all who reach it came through the stage before', async (t) => {
  t.same(
    followingStages([
      stage('signed_up', 9),
      stage('ordered', 5, 4),
      stage('account.cancelled', 3, 2)
    ]),
    { stages: ['signed_up', 'ordered'], exits: ['account.cancelled'] }
  )
})

test('the share of the stage before counts people who were in it', async (t) => {
  t.equal(cameThrough({ notReached: 45 }, { subjects: 49 })?.toFixed(1), '8.2')
  t.same(
    [cameThrough({ notReached: 0 }, undefined), cameThrough({ notReached: 0 }, { subjects: 0 })],
    [null, null]
  )
})

test('the biggest drop-off is where the largest share stopped', async (t) => {
  const shares = [
    stage('a', 100),
    stage('b', 55, 45),
    stage('c', 9, 50)
  ] as unknown as FunnelStage[]
  t.match(biggestDrop(shares), { after: { as: 'b' }, before: { as: 'c' } })
  const stages = [stage('a', 9), stage('b', 6, 3), stage('c', 1, 5)] as unknown as FunnelStage[]
  t.match(biggestDrop(stages), { after: { as: 'b' }, before: { as: 'c' } })
  t.equal(biggestDrop(stages.slice(0, 1)), undefined)
  t.equal(biggestDrop([stage('a', 9), stage('b', 9)] as unknown as FunnelStage[]), undefined)
})

test('a stage is added at the end, taken away, and the last one stays', async (t) => {
  t.same(toggleStage(['a'], 'b'), ['a', 'b'])
  t.same(toggleStage(['a', 'b'], 'a'), ['b'])
  t.same(toggleStage(['a'], 'a'), ['a'])
})

test('the last line of retention counts those cohorts that have come that far', async (t) => {
  const cohorts = [
    { at: '2025-06-02', subjects: 10, active: [10, 5] },
    { at: '2025-06-09', subjects: 30, active: [15] }
  ]
  t.same(totals({ cohorts, interval: 'week', truncated: false }), [
    { active: 25, subjects: 40 },
    { active: 5, subjects: 10 }
  ])
  t.same(
    [shadeOf(0, 9), shadeOf(1, 100), shadeOf(5, 10), shadeOf(9, 9), shadeOf(1, 0)],
    [0, 1, 5, 10, 0]
  )
})

const record = (at: string, more: Partial<RecordRow> = {}) =>
  ({ _id: at, tenantId: 'acme', occurredAt: at, name: 'x', kind: 'event', ...more }) as RecordRow
const milestone = (as: string, firstAt: string) =>
  ({ _id: as, tenantId: 'acme', as, firstAt, count: 1 }) as unknown as RollupAnswer

test('a milestone is above the record that made it, and only inside the range', async (t) => {
  const answer = {
    records: [record('2025-06-02T10:00:00.000Z'), record('2025-06-02T09:00:00.000Z')],
    milestones: [
      milestone('old', '2025-01-01T00:00:00.000Z'),
      milestone('new', '2025-06-02T09:00:00.000Z')
    ],
    truncated: false
  }
  const span = { from: Date.parse('2025-06-01'), to: Date.parse('2025-06-03') }
  t.same(
    timelineOf(answer, span).map(({ record, milestone }) => milestone?.as ?? record?._id),
    ['2025-06-02T10:00:00.000Z', 'new', '2025-06-02T09:00:00.000Z']
  )
  const [first, second] = answer.milestones
  t.equal(sinceFirst(answer.milestones, second as RollupAnswer), 152.375 * 86_400_000)
  t.equal(sinceFirst(answer.milestones, first as RollupAnswer), 0)
})

test('moves between states are counted, with the median of what came before', async (t) => {
  const state = (from: string | undefined, to: string, wait?: number) =>
    record('2025-06-01', {
      state: {
        key: 'ticket',
        to,
        ...(from !== undefined && { from }),
        ...(wait !== undefined && { previousSinceMs: wait })
      }
    })
  const found = transitionsOf([
    state('open', 'solved', 10),
    state('open', 'solved', 30),
    state('open', 'solved', 50),
    state('open', 'solved', 70),
    state(undefined, 'open'),
    record('2025-06-01')
  ])
  t.same(
    found.map(({ from, to, count, median }) => [from, to, count, median]),
    [
      ['open', 'solved', 4, 40],
      ['', 'open', 1, undefined]
    ]
  )
})

async function open(
  t: { teardown(fn: () => Promise<void>): unknown },
  options: Partial<OpenOptions> = {}
) {
  const opened = await openPage({ store: sampleStore(rows), page: 'journeys', ...options })
  t.teardown(opened.close)
  return opened
}

const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test('the funnel, its weeks and retention are shown', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await page.locator('.funnel li').first().waitFor()
  await page.locator('.retention tbody tr').first().waitFor()
  t.equal(await page.locator('h1').textContent(), 'Journeys')
  t.equal(await page.locator('.funnel li').count(), 2)
  t.equal(await page.locator('keelson-stat').count(), 4)
  t.ok((await page.locator('keelson-table tbody tr[data-id]').count()) > 0)
  t.same(complaints, [])
})

test('the share of those who completed is the same in its tile and its stage', {
  skip
}, async (t) => {
  const { page } = await open(t)
  const stage = page.locator('.funnel li').last().locator('.num')
  await stage.waitFor()
  const tile = page.locator('keelson-stat', { hasText: 'Completed' }).locator('.value')
  t.match(await tile.textContent(), /\d%$/)
  t.equal((await tile.textContent())?.trim(), await stage.textContent())
})

test('while the registry is on its way nothing is said to be missing', { skip }, async (t) => {
  const { page } = await open(t)
  await page.locator('.funnel li').first().waitFor()
  const go = await holdAnswers(page, '**/api/registry*')
  await page.reload()
  await page.locator('keelson-stat [aria-busy=true]').first().waitFor()
  t.notMatch(await shownText(page), /needs|missing|No milestones|could not/)
  go()
  await page.locator('.retention tbody tr').first().waitFor()
})

test('a drop-off leads to its people, and a person to the journey', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  await page.locator('a.stopped').click()
  await page.getByRole('dialog').waitFor()
  t.match(query(page), { stage: 'first_order', outcome: 'missed' })
  t.same(await accessibilityFaults(page), [])
  const person = page.locator('.people a').first()
  const ref = await person.textContent()
  await person.click()
  await page.waitForURL(/\/telemetry\/journey\?subject=/)
  t.same(query(page), { subject: ref?.trim() })
  await page.locator('.steps li').first().waitFor()
  t.same(complaints, [])
})

test('the funnel is split by what people had at its first stage', { skip }, async (t) => {
  const { page, complaints } = await open(t)
  const card = page.locator('keelson-table', {
    has: page.getByRole('heading', { name: 'By source' })
  })
  await card.locator('tr[data-id=ads]').waitFor()
  const ads = await textsOf(card.locator('tr[data-id=ads] td'))
  t.equal(ads.length, 3)
  t.match(ads.at(-1), /^\d+ \d.*%$/)
  await card.getByLabel('Group by').selectOption('attr:plan')
  await page.waitForURL(/by=attr/)
  await page.getByRole('heading', { name: 'By plan' }).waitFor()
  t.same(complaints, [])
})

test('on a phone every stage of a week can be read beside the week', { skip }, async (t) => {
  const store = sampleStore(rows)
  const stages = ['signed_up', 'first_order', 'renewed', 'upgraded', 'cancelled']
  const [milestone] = SAMPLE_REGISTRY['order.placed'].rollups as [object]
  const rollup = (as: string) => ({ ...milestone, as, label: as })
  const entry = { ...SAMPLE_REGISTRY['account.signed_up'], rollups: stages.map(rollup) }
  Object.assign(store.telemetry, { registry: { project: () => ({ 'account.signed_up': entry }) } })
  const query = `?stages=${stages.join()}`
  const { page, complaints } = await open(t, { store, width: 380, query })
  const weeks = page.getByRole('table', { name: 'By week' })
  const firstRow = weeks.locator('tbody tr[data-id]').first()
  await firstRow.waitFor()
  t.same(await textsOf(weeks.locator('th')), ['Week of', ...stages])
  const cut = await weeks
    .locator('th, td')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
  t.equal(cut, 0, 'no figure is cut')
  const week = firstRow.locator('td').first()
  const before = await week.boundingBox()
  await firstRow.press('ArrowRight')
  await weeks.evaluate(
    (table) =>
      table.scrollLeft > 0 ||
      new Promise((scrolled) => table.addEventListener('scroll', scrolled, { once: true }))
  )
  await firstRow.locator('td').last().scrollIntoViewIfNeeded()
  const last = await firstRow.locator('td').last().boundingBox()
  t.ok((last?.x ?? 0) + (last?.width ?? 0) <= 380, 'the last stage is on the screen')
  t.equal((await week.boundingBox())?.x, before?.x, 'and so is the week')
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
  t.same(await accessibilityFaults(page), [])
  t.same(complaints, [])
})

test('stages are chosen in the address', { skip }, async (t) => {
  const { page } = await open(t)
  await page.locator('.funnel li').first().waitFor()
  await page.getByRole('button', { name: 'Signed up' }).click()
  await page.waitForFunction(() => location.search.includes('stages=first_order'))
  t.equal(await exactly(page.locator('.funnel li'), 1), 1)
})

test('a subject is searched for and shown with milestones and records', { skip }, async (t) => {
  const ref = rows.find(({ name }) => name === 'account.signed_up')?.subject ?? ''
  const { page } = await open(t)
  await page.locator('.funnel li').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(ref)
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: ref }).waitFor()
  t.match(await page.title(), new RegExp(`^${ref}`))
  const table = page.locator('keelson-table', { hasText: 'Timeline' })
  await table.getByText('milestone').first().waitFor()
  const events = table.locator('tbody tr[data-id]:not([data-id^=milestone])')
  await events.first().press('Enter')
  await page.getByRole('dialog').waitFor()
  t.ok(query(page)['row'])
  t.same(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await parent(page).click()
  await page.locator('.funnel li').first().waitFor()
  t.same(query(page), {})
})

/** Requests of one name: two by their routes, and one with a name given by its library. */
const REQUESTS = [
  { method: 'GET', route: '/prices', status: '200' },
  { method: 'POST', route: '/orders', status: '201' },
  { 'span.name': 'charge card', status: '200' }
].map((attrs, at) => ({
  ...rows.find(({ name }) => name === 'page.viewed'),
  _id: `request-${at}`,
  name: 'http.request',
  kind: 'span',
  occurredAt: new Date(Date.now() - at * 60_000),
  durationMs: 12,
  metrics: {},
  attrs
}))

test('the rows of a journey are named by what differs between them', { skip }, async (t) => {
  const { page } = await open(t, {
    page: 'journey',
    query: '?subject=user:u-1',
    store: sampleStore([...(REQUESTS as typeof rows), ...rows], {
      journey: () => ({ ...EMPTY.journey, records: REQUESTS })
    })
  })
  const names = page.locator('keelson-table tbody tr[data-id] td:nth-child(3)')
  t.equal(await exactly(names, 3), 3)
  t.same(await textsOf(names), [
    'GET /prices status=200',
    'POST /orders status=201',
    'charge card status=200'
  ])
  await names.first().click()
  await page.locator('keelson-drawer h2', { hasText: 'GET /prices' }).waitFor()
})

test('an ID without its type opens the subject that has it', { skip }, async (t) => {
  const ref = rows.find(({ name }) => name === 'account.signed_up')?.subject ?? ''
  const { page, complaints } = await open(t)
  await page.locator('.funnel li').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(ref.slice('user:'.length))
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: ref }).waitFor()
  await page.locator('.steps li').first().waitFor()
  t.equal(query(page)['subject'], ref)
  t.same(complaints, [])
})

test('an ID that several subjects have offers each of them', { skip }, async (t) => {
  const store = sampleStore(rows, { journey: () => ({ ...EMPTY.journey, records: [rows[0]] }) })
  const types = { ...SAMPLE_REGISTRY['page.viewed'], subjects: ['account', 'user'] }
  Object.assign(store.telemetry, { registry: { project: () => ({ 'page.viewed': types }) } })
  const { page } = await open(t, { store, page: 'journey', query: '?subject=7' })
  await page.getByText('Several subjects have the ID 7').waitFor()
  t.same(await accessibilityFaults(page), [])
  await page.getByRole('link', { name: 'Open account:7' }).click()
  await page.locator('h1', { hasText: 'account:7' }).waitFor()
})

test('an unknown ID says how a subject is written, without an error', { skip }, async (t) => {
  const { page, complaints } = await open(t, { page: 'journey', query: '?subject=u-none' })
  await page.getByText('No subject with the ID u-none').waitFor()
  t.equal(await page.getByRole('alert').count(), 0)
  t.same(complaints, [])
  await page.getByRole('link', { name: 'Open user:u-none' }).click()
  await page.getByText('No records of this subject in this range').waitFor()
})

test('a ref behind the address of Journeys opens its journey', { skip }, async (t) => {
  const { page } = await open(t, { page: 'journeys/user:u-none' })
  await page.getByText('No records of this subject in this range').waitFor()
  t.equal(query(page)['subject'], 'user:u-none')
  t.equal(await parent(page).textContent(), 'Journeys')
})

test('a subject without records says so', { skip }, async (t) => {
  const { page } = await open(t, { query: '?subject=user:nobody' })
  await page.getByText('No records of this subject in this range').waitFor()
  await page.getByText('No milestones reached yet.').waitFor()
  t.pass('it does')
})

test('a journey without a person leads back to all', { skip }, async (t) => {
  const { page } = await open(t, { page: 'journey' })
  await page.getByRole('heading', { level: 1, name: 'Journey' }).waitFor()
  t.match(await page.title(), /^Journey · /)
  await parent(page).click()
  await page.locator('.funnel li').first().waitFor()
})

test('a rollup family is looked into, as a derived view asks', { skip }, async (t) => {
  const { page } = await open(t, { query: '?rollup=spend' })
  const table = page.locator('keelson-table')
  t.equal(
    await exactly(table.locator('tbody tr[data-id]'), 1),
    1,
    'one line for all days of a model'
  )
  t.match(await table.locator('th').allTextContents(), ['Dimensions', 'Last'])
  await table.getByText('totals of the days that start in this range').waitFor()
  await page.getByLabel('Rollup', { exact: true }).selectOption('issues')
  await page.waitForFunction(() => location.search.includes('rollup=issues'))
})

test('totals of a rollup say what they leave out', { skip }, async (t) => {
  const answer = spend(rows.filter(({ kind }) => kind === 'usage'))
  const answers = [
    { ...answer, values: 900 },
    { ...answer, documents: 100_000, truncated: true }
  ]
  const store = sampleStore(rows, { rollupTotals: () => answers.shift() })
  const { page } = await open(t, { store, query: '?rollup=spend', width: 380 })
  await page.getByText(`${answer.totals.length} of 900`).waitFor()
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('24h')
  await page
    .getByText('Totals of the newest 100,000 documents: the limit of one read was reached')
    .waitFor()
  t.same(answers, [])
})

test('totals of a lifetime rollup are said to be of all time', async (t) => {
  registerCatalog('en', texts)
  const words = (key: string, values?: Record<string, number>) => translate('en', key, values)
  const answer = { ...spend([]), bucket: null } as unknown as Totals
  t.equal(rollupNotes(answer, words).note, 'all-time totals, last recorded in this range')
})

test('sums of a rollup are named as totals, with their unit', async (t) => {
  registerCatalog('en', texts)
  const row = { dims: [], count: 1, sums: { durationMs: 1200, cost_usd: 1 } }
  const words = {
    format: createFormat('en', 'UTC'),
    now: 0,
    isPlatform: false,
    t: (key: string, values?: Record<string, string>) => translate('en', key, values),
    subjectHref: () => ''
  }
  const columns = rollupColumns([row as unknown as Total], true, words)
  t.same(
    columns.slice(-2).map(({ header }) => header),
    ['Duration, total', 'Cost (USD), total']
  )
})

test('a registry without milestones says what is missing', { skip }, async (t) => {
  const store = sampleStore(rows)
  const bare = { 'page.viewed': SAMPLE_REGISTRY['page.viewed'] }
  Object.assign(store.telemetry, { registry: { project: () => bare } })
  const { page } = await open(t, { store })
  await page.getByText('No milestones').waitFor()
  t.pass('it does')
})

test('an empty range leads to a longer one', { skip }, async (t) => {
  const { page } = await open(t, { store: sampleStore([]) })
  await page.getByText('No one started in this range').waitFor()
  await page.getByRole('link', { name: 'Show 30d' }).click()
  await page.waitForFunction(() => location.search.includes('range=30d'))
  t.pass('it does')
})

test('no state of Journeys has a fault, and nothing scrolls sideways', { skip }, async (t) => {
  const ref = rows.find(({ name }) => name === 'account.signed_up')?.subject ?? ''
  for (const query of ['', '?rollup=spend', `?subject=${ref}`]) {
    const { page } = await open(t, { query, viewer: PLATFORM })
    await page.locator('keelson-table tbody tr[data-id]').first().waitFor()
    t.same(await faultsInEveryLook(page), [], query)
  }
})

test('a journey leaves as much room for times as the list of records', async (t) => {
  const words = { t: (key: string) => key, isPlatform: false } as unknown as Parameters<
    typeof timelineColumns
  >[0] &
    Parameters<typeof recordColumns>[0]
  const widthOf = (columns: readonly { id: string; width?: number }[]) =>
    columns.find(({ id }) => id === 'time')?.width
  t.equal(widthOf(timelineColumns(words)), widthOf(recordColumns(words)))
})
