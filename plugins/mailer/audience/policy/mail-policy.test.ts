// The policy of a category, beside that of the mailer.
import { test } from 'tap'
import {
  frequencyOf,
  hasPolicy,
  judgeMail,
  mailPolicyReach,
  type PolicyConfig
} from './mail-policy.ts'

const HOUR = 3_600_000
const at = (text: string) => new Date(text)
const now = at('2026-11-22T12:00:00Z')
const news = { id: 'news', label: 'News' }
const tips = { id: 'tips', label: 'Tips' }
const mail = (hoursAgo: number, category?: string) => ({
  sendId: `${hoursAgo}${category}`,
  at: new Date(now.getTime() - hoursAgo * HOUR),
  ...(category !== undefined && { category })
})
const judge = (config: PolicyConfig, category: string | undefined, others = [mail(2, 'news')]) =>
  judgeMail(config, { now, queuedAt: now, category }, others)

test('a rule of a category counts mail of that category alone', async (t) => {
  const config = { categories: [{ ...news, policy: { minGapHours: 24 } }, tips] }
  t.match(judge(config, 'news'), { kind: 'wait', cause: 'category_min_gap' })
  t.match(judge(config, 'news', [mail(2, 'tips'), mail(3)]), { kind: 'go' })
  t.match(judge(config, 'tips'), { kind: 'go' })
  t.match(judge(config, undefined), { kind: 'go' })
})

test('a mail over the cap of its category waits until the oldest leaves the window', async (t) => {
  const policy = { maxPerRollingDays: { days: 1, count: 2 } }
  const config = { categories: [{ ...news, policy }] }
  const others = [mail(2, 'news'), mail(20, 'news'), mail(1, 'tips')]
  t.same(judge(config, 'news', others), {
    kind: 'wait',
    cause: 'category_max_per_days',
    until: new Date(now.getTime() + 4 * HOUR)
  })
})

test('the rules of the mailer hold for every category', async (t) => {
  const config = {
    contactPolicy: { minGapHours: 48 },
    categories: [{ ...news, policy: { minGapHours: 1 } }]
  }
  t.match(judge(config, 'news'), { kind: 'wait', cause: 'min_gap' })
  t.match(judge(config, 'other'), { kind: 'wait', cause: 'min_gap' })
})

test('quiet hours of a category take the place of those of the mailer', async (t) => {
  const config = {
    contactPolicy: { quietHours: { start: '11:00', end: '13:00' } },
    categories: [
      { ...news, policy: { quietHours: { start: '12:00', end: '14:00' } } },
      { ...tips, policy: { quietHours: { start: '00:00', end: '00:00' } } }
    ]
  }
  t.match(judge(config, undefined), { cause: 'quiet_hours', until: at('2026-11-22T13:00:00Z') })
  t.match(judge(config, 'news'), { cause: 'quiet_hours', until: at('2026-11-22T14:00:00Z') })
  t.match(judge(config, 'tips'), { kind: 'go' }, 'hours of no length are none')
})

test('the look back covers the longest rule of any category', async (t) => {
  const config = {
    contactPolicy: { minGapHours: 2, quietHours: { start: '11:00', end: '13:00' } },
    categories: [{ ...news, policy: { maxPerRollingDays: { days: 7, count: 3 } } }, tips]
  }
  t.equal(mailPolicyReach(config), 7 * 24 * HOUR)
  t.equal(mailPolicyReach({}), 0)
  t.equal(mailPolicyReach(frequencyOf(config)), 7 * 24 * HOUR)
  t.match(judge(frequencyOf(config), undefined, []), { kind: 'go' }, 'without quiet hours')
})

test('a policy of a category alone is a policy', async (t) => {
  t.ok(hasPolicy({ categories: [{ ...news, policy: { minGapHours: 1 } }] }))
  t.notOk(hasPolicy({ categories: [news] }))
})
