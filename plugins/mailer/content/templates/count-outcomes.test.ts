// Statistics of templates: each mail counts once, from the feed of outcomes.
import { test } from 'tap'
import { followOutcomes } from '../../ledger/outcomes/follow-outcomes.ts'
import {
  type NewOutcome,
  outcomeOf,
  recordOutcomes
} from '../../ledger/outcomes/record-outcomes.ts'
import { testContext } from '../../test/test-context.ts'
import { templateCounts } from './count-outcomes.ts'
import { createTemplate } from './edit-template.ts'

const occurredAt = new Date('2026-03-01T10:00:00Z')
const hex = (text: string) => Buffer.from(text.padEnd(12, '.')).toString('hex')

function outcome(mail: string, type: NewOutcome['type'], eventId?: string): NewOutcome {
  const send = {
    _id: hex(mail),
    externalId: 'c1',
    emailAtSend: 'c1@example.test',
    kind: 'marketing',
    templateSlug: 'news'
  } as const
  const isMachine = eventId?.endsWith('machine') === true
  return outcomeOf(send, { type, occurredAt, isMachine, ...(eventId && { eventId }) })
}

async function bench(t: Parameters<typeof testContext>[0]) {
  const { context } = await testContext(t)
  const input = { slug: 'news', name: 'News', kind: 'marketing' }
  const made = await createTemplate(context, input as never, { actor: 'human:test' })
  if (!made.ok) throw new Error('no template')
  const stats = async () => (await context.collections.templates.findOne({ slug: 'news' }))?.stats
  return { context, stats, template: made.template }
}

test('a template that was never sent has zeros', async (t) => {
  const { stats } = await bench(t)
  t.same(await stats(), { sent: 0, delivered: 0, opened: 0, clicked: 0 })
})

test('mails count once, however many links people click; machines do not count', async (t) => {
  const { context, stats } = await bench(t)
  await recordOutcomes(context, [
    outcome('m1', 'accepted'),
    outcome('m2', 'accepted'),
    outcome('m1', 'delivered'),
    outcome('m1', 'open', 'person'),
    outcome('m2', 'open', 'machine'),
    outcome('m1', 'click', 'l1:person'),
    outcome('m1', 'click', 'l2:person'),
    outcome('m2', 'click', 'l1:machine'),
    outcome('m2', 'send_failed')
  ])
  await followOutcomes(context, [templateCounts(context)])
  const expected = { sent: 2, delivered: 1, opened: 1, clicked: 1 }
  t.same(await stats(), expected)
  await recordOutcomes(context, [outcome('m1', 'click', 'l3:person')])
  await followOutcomes(context, [templateCounts(context)], { limit: 1 })
  t.same(await stats(), expected)
})

test('several processes count each mail once', async (t) => {
  const { context, stats } = await bench(t)
  const mails = Array.from({ length: 40 }, (_, at) => outcome(`m${at}`, 'accepted'))
  await recordOutcomes(context, mails)
  await Promise.all(
    [1, 2, 3].map(() => followOutcomes(context, [templateCounts(context)], { limit: 7 }))
  )
  await followOutcomes(context, [templateCounts(context)], { limit: 7 })
  t.match(await stats(), { sent: 40 })
})
