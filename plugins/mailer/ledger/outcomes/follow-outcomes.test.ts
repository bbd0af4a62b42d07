// Readers of the feed: those at one place go on together, and a page costs the same commands however long it is.
import { test } from 'tap'
import { testContext } from '../../test/test-context.ts'
import { type FeedReader, followOutcomes } from './follow-outcomes.ts'
import { outcomeOf, recordOutcomes } from './record-outcomes.ts'

const outcomes = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    outcomeOf(
      {
        _id: `s${`${from + at}`.padStart(5, '0')}`,
        externalId: 'c1',
        emailAtSend: 'ada@recipient.test',
        kind: 'marketing',
        templateSlug: 'news'
      },
      { type: 'accepted', occurredAt: new Date('2026-03-01T10:00:00Z') }
    )
  )

/** A reader that notes what it counted. */
function counting(name: string) {
  const seen: string[] = []
  const count: FeedReader['count'] = async (rows) =>
    void seen.push(...rows.map(({ sendId }) => sendId))
  return { reader: { name, count }, seen }
}

test('two readers follow 3,000 outcomes with eight commands', async (t) => {
  const { context, commands } = await testContext(t)
  const [first, second] = [counting('first'), counting('second')]
  const readers = [first.reader, second.reader]
  await followOutcomes(context, readers)
  await recordOutcomes(context, outcomes(3000))
  commands()
  await followOutcomes(context, readers)
  // Places of the readers; find, count, place, commit; page; move, commit.
  t.equal(commands().length, 8)
  t.equal(first.seen.length, 3000)
  t.same(second.seen, first.seen)
})

test('a reader that is behind catches up, and each sees every outcome once, in order', async (t) => {
  const { context, pass } = await testContext(t)
  const [early, late] = [counting('early'), counting('late')]
  await recordOutcomes(context, outcomes(5))
  await followOutcomes(context, [early.reader], { limit: 2 })
  pass(1)
  await recordOutcomes(context, outcomes(4, 5))
  await followOutcomes(context, [early.reader, late.reader], { limit: 3 })
  t.equal(early.seen.length, 9)
  t.same(late.seen, early.seen)
})

test('readers go on where those ahead of them saw outcomes that have expired since', async (t) => {
  const { context, pass } = await testContext(t)
  const [early, late] = [counting('early'), counting('late')]
  await followOutcomes(context, [late.reader])
  await recordOutcomes(context, outcomes(3))
  await followOutcomes(context, [early.reader])
  await context.collections.outcomes.deleteMany({ sendId: { $exists: true } })
  pass(1)
  await recordOutcomes(context, outcomes(2, 3))
  await followOutcomes(context, [early.reader, late.reader])
  t.same(late.seen, ['s00003', 's00004'])
  t.equal(early.seen.length, 5)
})

test('of several processes one counts each page, whatever page each has read', async (t) => {
  const { context } = await testContext(t)
  const [one, two] = [counting('same'), counting('same')]
  await recordOutcomes(context, outcomes(40))
  const follow = ({ reader }: typeof one) => followOutcomes(context, [reader], { limit: 7 })
  await Promise.all([follow(one), follow(two)])
  await follow(one)
  t.equal(new Set([...one.seen, ...two.seen]).size, 40)
})
