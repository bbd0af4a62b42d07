// The funnel over any events and who came back after its first step, in a browser.
import type { EventFunnelParams } from '@keelson/telemetry'
import { textsOf } from '@keelson/ui/testing'
import { test } from 'tap'
import { noBrowser, openPage } from './browser.ts'
import { sampleRows, sampleStore } from './sample-store.ts'

const skip = noBrowser ?? false
const rows = sampleRows(400, Date.now())

test('a funnel over any events is built step by step, and its numbers lead to their records', {
  skip
}, async (t) => {
  const stage = (as: string, order: number, subjects: number) => ({
    order,
    key: as,
    as,
    label: as,
    subjects,
    pctOfFirst: subjects * 10,
    pctOfPrevious: null,
    medianDaysFromAnchor: 0,
    medianDaysFromPrevious: order === 1 ? null : 0.5,
    notReached: 10 - subjects,
    stalledAt: null
  })
  const store = sampleStore(rows, {
    eventFunnel: (_scope: string, { steps, order, windowMs, by }: EventFunnelParams) => ({
      people: 10,
      stages: steps.map((step, at) => stage(step, at + 1, 10 - at * 4)),
      ...(by !== undefined && {
        groups: ['ads', null].map((value, group) => ({
          value,
          subjects: 8 - group * 6,
          stages: steps.map((step, at) => stage(step, at + 1, 8 - group * 6 - at))
        }))
      }),
      order,
      windowMs: windowMs ?? null,
      cohort: { from: new Date(), to: new Date() },
      truncated: false,
      dataSource: 'raw'
    }),
    eventRetention: () => ({
      cohorts: [
        { at: new Date('2026-01-05'), subjects: 8, active: [8, 2] },
        { at: new Date('2026-01-12'), subjects: 4, active: [4] }
      ],
      interval: 'week',
      truncated: false,
      dataSource: 'raw'
    })
  })
  const { page, complaints, close } = await openPage({ store, page: 'journeys' })
  t.teardown(close)
  /** A read with this in its query, alone or together with others. */
  const answerTo = (part: string) =>
    page.waitForResponse((response) => decodeURIComponent(response.url()).includes(part))
  const card = page.locator('.events-funnel')
  const add = card.getByRole('combobox', { name: 'Add a step' })
  await add.selectOption('page.viewed')
  await page.waitForURL(/steps=page\.viewed/)
  await add.selectOption('account.signed_up')
  await card.locator('.stopped').waitFor()
  await card.getByRole('combobox', { name: 'Order' }).selectOption('any')
  const limited = answerTo('window=7d')
  await card.getByRole('combobox', { name: 'Time' }).selectOption('7d')
  await page.waitForURL(/window=7d/)
  await limited
  const asked = store.asked.filter(({ op }) => op === 'eventFunnel').at(-1)
  t.match(asked?.params, {
    steps: ['page.viewed', 'account.signed_up'],
    order: 'any',
    windowMs: 604_800_000
  })
  await card.getByRole('combobox', { name: 'Groups of people' }).selectOption('attr:source')
  const groups = page.locator('keelson-table', { hasText: 'what people had at the first step' })
  await groups.getByText('ads').waitFor()
  t.match(await textsOf(groups.locator('tbody tr[data-id]')), ['ads87 70%', 'no value21 10%'])
  t.match(store.asked.filter(({ op }) => op === 'eventFunnel').at(-1)?.params, {
    by: 'attr:source'
  })
  t.match(
    await card.locator('.stopped').getAttribute('href'),
    /did=page\.viewed&didNot=account\.signed_up/
  )
  const retention = page.locator('section', { hasText: 'Retention after page.viewed' })
  await retention.getByText('25%').first().waitFor()
  const answered = answerTo('again=order.placed')
  await retention.getByRole('combobox', { name: 'Came back by' }).selectOption('order.placed')
  await page.waitForURL(/again=order\.placed/)
  await answered
  t.match(store.asked.filter(({ op }) => op === 'eventRetention').at(-1)?.params, {
    first: 'page.viewed',
    again: 'order.placed',
    interval: 'week'
  })
  await card.getByRole('button', { name: 'Take out page.viewed' }).click()
  await page.waitForURL((url) => url.searchParams.get('steps') === 'account.signed_up')
  t.same(complaints, [])
})
