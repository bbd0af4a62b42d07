// The feed of outcomes on the real engine: nothing is skipped, nothing comes twice.

import { test } from 'tap'
import type { MailOutcomes } from '../../contracts/mailer-core.ts'
import { testContext } from '../../test/test-context.ts'
import { readOutcomes } from './read-outcomes.ts'
import { type NewOutcome, outcomeOf, recordOutcomes } from './record-outcomes.ts'

const at = new Date('2026-03-01T10:00:00Z')
const outcome = (sendId: string, more: Partial<NewOutcome> = {}): NewOutcome => ({
  ...outcomeOf(
    {
      _id: sendId,
      externalId: 'c1',
      emailAtSend: 'ada@recipient.test',
      kind: 'marketing',
      templateSlug: 'news',
      provider: 'recording',
      from: { name: 'Acme', email: 'hello@Acme.test' }
    },
    { type: 'delivered', occurredAt: at }
  ),
  ...more
})
const idsOf = ({ items }: Pick<MailOutcomes, 'items'>) => items.map(({ sendId }) => sendId)

test('an outcome says what happened to which mail, and nothing of how it is stored', async (t) => {
  const { context } = await testContext(t)
  await recordOutcomes(context, [outcome('s1')])
  const { items } = await readOutcomes(context)
  t.strictSame(items, [
    {
      type: 'delivered',
      occurredAt: at,
      sendId: 's1',
      externalId: 'c1',
      kind: 'marketing',
      senderDomain: 'acme.test',
      recipientDomain: 'recipient.test',
      mailboxProvider: 'other',
      provider: 'recording',
      templateSlug: 'news',
      broadcastSlug: null,
      flowSlug: null,
      isMachine: false
    }
  ])
})

test('an outcome that is recorded again is in the feed once', async (t) => {
  const { context } = await testContext(t)
  const clicks = ['a', 'b'].map((eventId) => outcome('s1', { type: 'click', eventId }))
  await recordOutcomes(context, [outcome('s1'), ...clicks])
  await recordOutcomes(context, [outcome('s1'), outcome('s2'), ...clicks])
  t.same(idsOf(await readOutcomes(context)), ['s1', 's1', 's1', 's2'])
})

test('a chain of cursors reads every outcome once, in the order they were recorded', async (t) => {
  const { context, pass } = await testContext(t)
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    await recordOutcomes(context, [outcome(id)])
    pass(1)
  }
  const first = await readOutcomes(context, { limit: 2 })
  const second = await readOutcomes(context, { after: first.cursor, limit: 2 })
  await recordOutcomes(context, [outcome('f')])
  const third = await readOutcomes(context, { after: second.cursor })
  t.same([first, second, third].map(idsOf), [
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f']
  ])
  const end = await readOutcomes(context, { after: third.cursor })
  t.same(end, { items: [], cursor: third.cursor })
  t.same(await readOutcomes(context, { limit: 2 }), first, 'an earlier place can be read again')
})

test('a cursor that is not one is refused', async (t) => {
  const { context } = await testContext(t)
  for (const after of ['', 'x', '-1', '1e3', '1'.repeat(40)])
    await t.rejects(readOutcomes(context, { after }), { code: 'MLR_INPUT_INVALID' }, after)
})

test('readers that come at the same time share the transaction that gives places', async (t) => {
  const { context, commands } = await testContext(t)
  const all = Array.from({ length: 30 }, (_, at) => outcome(`s${at}`))
  await recordOutcomes(context, all)
  commands()
  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map(() => readOutcomes(context)))
  for (const page of pages) t.equal(page.items.length, all.length)
  const ended = commands().filter((name) => name.endsWith('Transaction'))
  t.same(ended, ['commitTransaction', 'commitTransaction'])
})

test('a reader sees what was recorded before it came, while places are given', async (t) => {
  const { context } = await testContext(t)
  await recordOutcomes(context, [outcome('s1')])
  const early = readOutcomes(context, { limit: 1 })
  await recordOutcomes(context, [outcome('s2'), outcome('s3')])
  const late = await readOutcomes(context)
  t.same(idsOf(late), ['s1', 's2', 's3'])
  t.same(idsOf(await early), ['s1'])
})

test('three readers beside four writers each see every outcome once', async (t) => {
  const { context: shared } = await testContext(t)
  const writers = 4
  const rounds = 12
  let writing = writers
  const write = async (writer: number) => {
    for (let round = 0; round < rounds; round++) {
      const ids = Array.from({ length: 9 }, (_, at) => `${writer}-${round}-${at}`)
      await recordOutcomes(
        shared,
        [...ids, `${writer}-${Math.max(round - 1, 0)}-0`].map((id) => outcome(id))
      )
    }
    writing--
  }
  const read = async (limit: number) => {
    // As in a process of its own.
    const context = { ...shared, collections: { ...shared.collections } }
    const seen: string[] = []
    let after: string | undefined
    for (;;) {
      const isLast = writing === 0
      const page = await readOutcomes(context, { limit, ...(after !== undefined && { after }) })
      seen.push(...idsOf(page))
      after = page.cursor
      if (isLast && page.items.length === 0) return seen
    }
  }
  const [first, second, third] = await Promise.all([
    read(7),
    read(50),
    read(1000),
    ...Array.from({ length: writers }, (_, writer) => write(writer))
  ])
  t.equal(first?.length, writers * rounds * 9)
  t.equal(new Set(first ?? []).size, first?.length)
  t.same(second, first)
  t.same(third, first)
})

test('the feed is read by its indexes', async (t) => {
  const { context } = await testContext(t)
  const { outcomes } = context.collections
  const placed = await outcomes
    .find({ place: { $gt: 5 } })
    .sort({ place: 1 })
    .explain()
  t.match(JSON.stringify(placed), /"indexName":"keelson_place"|"indexName":"place"/)
  const waiting = outcomes.find({ unplaced: true }).sort({ unplaced: 1, recordedAt: 1 })
  const plan = JSON.stringify(await waiting.explain())
  t.match(plan, /"indexName":"unplaced"/)
  t.notMatch(plan, /"SORT"/)
})
