// Recording suppressions: which of two wins, whatever their order.

import fc from 'fast-check'
import { type Test, test } from 'tap'
import type { SuppressionReason } from '../../contracts/mailer-core.ts'
import { addressHash } from '../../ledger/address.ts'
import { testContext } from '../../test/test-context.ts'
import { recordSuppressions, suppress } from './record-suppressions.ts'
import { isInForce, REASONS, suppressionThatBlocks } from './suppression-rules.ts'

const HOUR = 3_600_000
const EMAIL = 'a@example.test'

async function open(t: Test) {
  const tested = await testContext(t)
  const { context } = tested
  const now = context.clock.now()
  const inHours = (hours: number) => new Date(now.getTime() + hours * HOUR)
  const add = (reason: SuppressionReason, hours?: number, more: object = {}) =>
    suppress(context, EMAIL, {
      scope: 'all',
      reason,
      ...(hours !== undefined && { expiresAt: inHours(hours) }),
      ...more
    })
  const stored = async () => {
    const rows = await context.collections.suppressions.find().toArray()
    t.equal(rows.length, 1)
    const [row] = rows
    const hours = row?.expiresAt && Math.round((row.expiresAt.getTime() - now.getTime()) / HOUR)
    return [row?.reason, hours]
  }
  return { ...tested, add, stored, inHours }
}

test('one row per address and scope, whatever the case of the address', async (t) => {
  const { context } = await testContext(t)
  await suppress(context, ' A@Example.TEST', { scope: 'all', reason: 'manual', notes: 'one' })
  await suppress(context, EMAIL, { scope: 'all', reason: 'manual', notes: 'two', source: 'desk' })
  await suppress(context, EMAIL, { scope: 'marketing', reason: 'manual' })
  const rows = await context.collections.suppressions.find().sort({ scope: 1 }).toArray()
  t.match(rows, [
    { email: EMAIL, emailHash: addressHash(EMAIL), scope: 'all', notes: 'two', source: 'desk' },
    { email: EMAIL, scope: 'marketing', expiresAt: null }
  ])
  t.equal(rows.length, 2)
  t.notOk(rows[1] && 'notes' in rows[1])
})

test('an unsubscribe over a temporary row makes it lasting and takes its reason', async (t) => {
  const { add, stored } = await open(t)
  await add('manual', 1)
  await add('unsubscribed')
  t.same(await stored(), ['unsubscribed', null])
})

test('a temporary suppression never shortens a lasting one', async (t) => {
  const { add, stored } = await open(t)
  await add('unsubscribed')
  await add('manual', 1)
  t.same(await stored(), ['unsubscribed', null])
})

for (const reason of ['hard_bounce', 'complaint', 'gdpr_forget'] as const) {
  test(`${reason} stays the reason after any weaker one`, async (t) => {
    const { add, stored } = await open(t)
    await add(reason, 1)
    await add('unsubscribed')
    t.same(await stored(), [reason, null])
    await add('manual', 5)
    t.same(await stored(), [reason, null])
  })
}

test('a row that has run out is replaced as if it were not there', async (t) => {
  const { context, add, stored, pass } = await open(t)
  await add('complaint', 1, { notes: 'of old', source: 'desk' })
  pass(2 * HOUR)
  await add('unsubscribed')
  t.same(await stored(), ['unsubscribed', null])
  const [row] = await context.collections.suppressions.find().toArray()
  t.notOk(row && ('notes' in row || 'source' in row))
  t.ok(row && row.addedAt.getTime() >= context.clock.now().getTime() - HOUR)
})

test('an erased address is never stored in clear again', async (t) => {
  const { context, add } = await open(t)
  await add('gdpr_forget')
  await add('complaint')
  await add('unsubscribed', undefined, { scope: 'marketing' })
  const rows = await context.collections.suppressions.find().toArray()
  t.match(rows, [{ email: null, reason: 'gdpr_forget', scope: 'all' }])
  t.equal(rows.length, 1)
})

test('texts that look like expressions are stored as texts', async (t) => {
  const { context, add } = await open(t)
  await add('manual', undefined, { notes: '$email', source: '$$ROOT' })
  const [row] = await context.collections.suppressions.find().toArray()
  t.match(row, { notes: '$email', source: '$$ROOT' })
})

test('two writers of a first suppression leave one row', async (t) => {
  const { add, stored } = await open(t)
  await Promise.all(REASONS.map((reason) => add(reason)))
  t.same(await stored(), ['gdpr_forget', null])
})

test('wrong scopes, reasons and dates are refused before anything is written', async (t) => {
  const { context } = await testContext(t)
  const good = { scope: 'all', reason: 'manual' } as const
  const wrong: readonly (readonly [unknown, object])[] = [
    ['no address', good],
    [5, good],
    [EMAIL, { ...good, scope: 'marketing_pause' }],
    [EMAIL, { ...good, reason: 'because' }],
    [EMAIL, { ...good, notes: 'x'.repeat(1025) }],
    [EMAIL, { ...good, expiresAt: 'tomorrow' }]
  ]
  for (const [email, options] of wrong) {
    await t.rejects(suppress(context, email as string, options as typeof good), {
      code: 'MLR_INPUT_INVALID'
    })
  }
  t.equal(await context.collections.suppressions.countDocuments(), 0)
})

test('the order of suppressions never changes what is blocked, or why', async (t) => {
  const { context, inHours } = await open(t)
  const suppression = fc.record({
    reason: fc.constantFrom(...REASONS),
    scope: fc.constantFrom('all' as const, 'marketing' as const, 'category:news' as const),
    hours: fc.constantFrom(undefined, -1, 1, 2)
  })
  const orders = fc
    .array(suppression, { minLength: 2, maxLength: 5 })
    .chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))
    )
  let run = 0
  await fc.assert(
    fc.asyncProperty(orders, async (lists) => {
      const seen = []
      for (const [order, list] of lists.entries()) {
        const email = `${run}-${order}@example.test`
        for (const { hours, ...entry } of list) {
          const expiresAt = hours === undefined ? undefined : inHours(hours)
          await recordSuppressions(context, [{ ...entry, email, expiresAt }])
        }
        const emailHash = addressHash(email)
        seen.push(await context.collections.suppressions.find({ emailHash }).toArray())
      }
      run++
      const [first = [], second = []] = seen
      for (const hours of [0.5, 1.5, 3]) {
        for (const [kind, category] of [['transactional'], ['marketing'], ['marketing', 'news']]) {
          const mail = [kind as 'marketing', category, inHours(hours)] as const
          const [a, b] = [first, second].map((rows) => suppressionThatBlocks(rows, ...mail))
          if (a?.reason !== b?.reason) return false
        }
      }
      const lasting = lists[0].filter(({ hours }) => hours === undefined)
      return lasting.every(({ scope }) =>
        first.some(
          (row) =>
            isInForce(row, inHours(99)) && (row.scope === scope || row.reason === 'gdpr_forget')
        )
      )
    }),
    { numRuns: 60 }
  )
})
