// What recipients choose: pauses and categories.
import { type Test, test } from 'tap'
import { testContext } from '../../test/test-context.ts'
import { findSuppressions } from './find-suppressions.ts'
import { getPreferences, pauseMarketing, resumeMarketing, setPreferences } from './preferences.ts'
import { suppress } from './record-suppressions.ts'
import { suppressionThatBlocks } from './suppression-rules.ts'
import { unsubscribe } from './unsubscribe.ts'

const DAY = 86_400_000
const EMAIL = 'ann@example.test'

async function open(t: Test) {
  const categories = ['news', 'tips'].map((id) => ({ id, label: id.toUpperCase() }))
  const tested = await testContext(t, { config: { categories } })
  const { context } = tested
  const blocks = async (kind: 'marketing' | 'transactional', category?: string) => {
    const rows = (await findSuppressions(context, [EMAIL])).get(EMAIL) ?? []
    return suppressionThatBlocks(rows, kind, category, context.clock.now()) !== undefined
  }
  const chosen = async () =>
    (await getPreferences(context, EMAIL)).categories
      .filter(({ isSubscribed }) => isSubscribed)
      .map(({ id }) => id)
  return { ...tested, blocks, chosen }
}

test('a pause blocks marketing mail until its days are over', async (t) => {
  const { context, blocks, pass } = await open(t)
  const { pausedUntil } = await pauseMarketing(context, 'Ann@example.test', { days: 7 })
  t.same((await getPreferences(context, EMAIL)).pausedUntil, pausedUntil)
  t.equal(await blocks('marketing'), true)
  t.equal(await blocks('transactional'), false)
  pass(7 * DAY)
  t.equal(await blocks('marketing'), false)
  t.equal((await getPreferences(context, EMAIL)).pausedUntil, null)
})

test('a later pause replaces the one before, and resuming ends it', async (t) => {
  const { context, blocks, pass } = await open(t)
  await pauseMarketing(context, EMAIL, { days: 30 })
  await pauseMarketing(context, EMAIL, { days: 7 })
  pass(8 * DAY)
  t.equal(await blocks('marketing'), false)
  await pauseMarketing(context, EMAIL, { days: 7 })
  await resumeMarketing(context, EMAIL)
  t.equal(await blocks('marketing'), false)
})

test('a pause of no days, of parts of days or of more than a year is refused', async (t) => {
  const { context } = await open(t)
  for (const days of [0, 1.5, 366, '7']) {
    await t.rejects(pauseMarketing(context, EMAIL, { days: days as number }), {
      code: 'MLR_INPUT_INVALID'
    })
  }
})

test('the categories that are left out are unsubscribed, the others come back', async (t) => {
  const { context, blocks, chosen } = await open(t)
  t.same(await chosen(), ['news', 'tips'])
  await setPreferences(context, EMAIL, { categories: ['tips'] })
  t.same(await chosen(), ['tips'])
  t.same(
    [
      await blocks('marketing', 'news'),
      await blocks('marketing', 'tips'),
      await blocks('marketing')
    ],
    [true, false, false]
  )
  await setPreferences(context, EMAIL, { categories: ['news'] })
  t.same(await chosen(), ['news'])
})

test('an unknown category is refused, and nothing is written', async (t) => {
  const { context } = await open(t)
  await t.rejects(setPreferences(context, EMAIL, { categories: ['nonsense'] }), {
    code: 'MLR_INPUT_INVALID'
  })
  t.equal(await context.collections.suppressions.countDocuments(), 0)
})

test('choosing categories takes back neither an unsubscribe from all nor a complaint', async (t) => {
  const { context, chosen } = await open(t)
  await unsubscribe(context, EMAIL, { scope: 'marketing' })
  await setPreferences(context, EMAIL, { categories: ['news', 'tips'] })
  t.match(await getPreferences(context, EMAIL), { email: EMAIL, isSubscribed: false })
  await suppress(context, EMAIL, { scope: 'all', reason: 'complaint' })
  t.same(await chosen(), [])
})
