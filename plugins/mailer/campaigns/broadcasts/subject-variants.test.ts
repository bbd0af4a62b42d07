// Subjects that are tested within one template: exact arms, one winner, and what each recipient reads.
import fc from 'fast-check'
import { test } from 'tap'
import type { BroadcastRow, SplitTest } from '../../ledger/broadcast-row.ts'
import { recorded } from '../../test/sent-mail.ts'
import { armsOf, groupsOfArm } from './arms.ts'
import {
  changeDraft,
  createBroadcast,
  type NewBroadcast,
  resendBroadcast
} from './draft-broadcast.ts'
import { listRecipients, readBroadcast } from './read-broadcasts.ts'
import { armsOfPage } from './split-test.ts'
import { ANNA, DRAFT, openBench, people } from './test/broadcast-bench.ts'
import { testSend } from './test-send.ts'

const HOUR = 3_600_000
const SUBJECTS: NonNullable<NewBroadcast['splitTest']> = {
  variants: [
    { name: 'A', templateSlug: 'news' },
    { name: 'B', templateSlug: 'news', subject: 'Your year' },
    { name: 'C', templateSlug: 'news', subject: 'What changed', preheader: 'Three things' }
  ],
  testPercent: 30,
  winner: 'human_opens',
  decideAfterHours: 4
}

test('three subjects of one template are tested, and the rest get the one that was opened most', async (t) => {
  const bench = await openBench(t, { contacts: people(60) })
  const { context } = bench
  const { sends } = context.collections
  await bench.schedule({ splitTest: SUBJECTS })
  await bench.drain()
  const tested = bench.sent.map(({ subject }) => subject).sort()
  t.same(
    tested,
    ['What changed', 'Your year', 'news'].flatMap((one) => Array<string>(6).fill(one))
  )
  const now = context.clock.now()
  await sends.updateMany({ arm: 'A' }, recorded({ openedAt: now }))
  await sends.updateOne({ arm: 'C' }, recorded({ humanOpenedAt: now }))
  const { broadcast, results, variants } = (await readBroadcast(context, 'cast')) ?? {}
  t.notOk(results && 'rest' in results)
  t.match(results?.variants, [
    { name: 'A', handed: 6, opened: 6, openedByPeople: 0 },
    { name: 'B', subject: 'Your year', handed: 6 },
    { name: 'C', subject: 'What changed', handed: 6, openedByPeople: 1 }
  ])
  t.match(variants, [{ reactions: 0 }, { reactions: 0 }, { reactions: 1 }])
  const { recipients } = await listRecipients(context, broadcast?._id ?? '')
  t.ok(recipients.every(({ arm }) => ['A', 'B', 'C'].includes(`${arm}`)))
  bench.pass(4 * HOUR)
  await bench.drain()
  t.match(await bench.read(), { status: 'sent', winner: 'C', queuedCount: 60 })
  t.ok(bench.sent.slice(18).every(({ subject }) => subject === 'What changed'))
  t.equal(new Set(bench.sent.map(({ to }) => to)).size, 60)
  const after = (await readBroadcast(context, 'cast'))?.results
  t.match(after?.variants, [
    { name: 'A', handed: 6 },
    { name: 'B', handed: 6 },
    { name: 'C', handed: 6, openedByPeople: 1, isWinner: true }
  ])
  t.match(after?.rest, { queued: 42, handed: 42 }, 'the rest are no part of the test')
  t.equal(after?.significance?.needed, results?.significance?.needed, 'nor of what it says')
  await sends.updateOne({ isRest: true }, recorded({ humanOpenedAt: now }))
  t.match((await readBroadcast(context, 'cast'))?.results, {
    variants: [{}, {}, { openedByPeople: 1 }],
    rest: { openedByPeople: 1 }
  })
  t.match(await resendBroadcast(context, 'cast', { slug: 'again' }, ANNA), {
    broadcast: { templateSlug: 'news', subject: 'What changed', preheader: 'Three things' }
  })
})

test('a broadcast may have a subject of its own, and null gives it back', async (t) => {
  const bench = await openBench(t, { contacts: people(1) })
  await bench.schedule({ subject: 'Only today' })
  await bench.drain()
  t.match(bench.sent, [{ subject: 'Only today' }])
  await createBroadcast(bench.context, { ...DRAFT, slug: 'other', subject: 'Soon' }, ANNA)
  await changeDraft(bench.context, 'other', { subject: null }, ANNA)
  t.notOk('subject' in (await bench.read('other')))
})

test('a test send brings each subject to each contact', async (t) => {
  const bench = await openBench(t, { contacts: people(2) })
  await createBroadcast(bench.context, { ...DRAFT, splitTest: SUBJECTS }, ANNA)
  t.match(await testSend(bench.context, 'cast', ['c001'], ANNA), { sends: { length: 3 } })
  await bench.run()
  t.same(bench.sent.map(({ subject }) => subject).sort(), ['What changed', 'Your year', 'news'])
})

test('subjects that are equal, or whose placeholders are broken, are refused', async (t) => {
  const { context } = await openBench(t)
  const create = (more: object) => createBroadcast(context, { ...DRAFT, ...more }, ANNA)
  const [a, b] = SUBJECTS.variants
  const twice = { ...SUBJECTS, variants: [b, { ...b, name: 'D' }] }
  t.match(await create({ splitTest: twice }), { code: 'variants_not_distinct' })
  const broken = { ...SUBJECTS, variants: [a, { ...b, subject: 'Hello {{contact.' }] }
  t.match(await create({ splitTest: broken }), { code: 'invalid_texts', message: /^Hello/ })
  t.match(await create({ preheader: '{{#if}}' }), { code: 'invalid_texts' })
  await t.rejects(create({ subject: '' }), { code: 'MLR_INPUT_INVALID' })
})

test('mails that were queued before arms had names count for their template', async (t) => {
  const [first, second] = [
    { name: 'a', templateSlug: 'first' },
    { name: 'b', templateSlug: 'second' }
  ]
  const groups = [
    { templateSlug: 'first', progress: 'h', count: 2 },
    { templateSlug: 'first', arm: null, progress: 'h', count: 3 },
    { templateSlug: 'second', arm: 'b', progress: 'h', count: 4 }
  ]
  const sum = (variant: SplitTest['variants'][number]) =>
    groupsOfArm(groups, variant).reduce((all, { count }) => all + count, 0)
  t.same([sum(first as never), sum(second as never)], [5, 4])
})

test('arms of one template are exact over pages of any size, and name what they send', async (t) => {
  const row = {
    templateSlug: 'news',
    splitTest: SUBJECTS,
    splitPhase: 'test'
  } as unknown as BroadcastRow
  const names = armsOf(row).map(({ name }) => name)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }), (sizes) => {
      const counts = new Map(names.map((name) => [name, 0]))
      let state = row
      let from = 0
      for (const size of sizes) {
        const keys = Array.from({ length: size }, (_, at) => `k${from + at}`)
        const page = armsOfPage(state, keys)
        for (const key of keys) {
          const name = page.of(key)?.name
          if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
        }
        state = { ...state, ...(page.counts && { splitCounts: page.counts }) }
        from += size
      }
      const all = [...counts.values()]
      const sum = all.reduce((total, one) => total + one, 0)
      return sum === Math.round(from * 0.3) && Math.max(...all) - Math.min(...all) <= 1
    })
  )
  t.pass()
})
