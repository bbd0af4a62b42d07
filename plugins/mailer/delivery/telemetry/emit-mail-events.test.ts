// Mails in telemetry: each outcome is one event, whatever dies in between.

import type { EmitRecord } from '@keelson/telemetry/contracts'
import { type Test, test } from 'tap'
import { forget } from '../../audience/contacts/forget.ts'
import type { MailOutcomeType } from '../../contracts/mailer-core.ts'
import type { MailTelemetry } from '../../ledger/host-code.ts'
import { testContext } from '../../test/test-context.ts'
import { type NewOutcome, outcomeOf, recordOutcomes } from '../outcomes/record-outcomes.ts'
import { queueSends } from '../sends/queue-sends.ts'
import { emitMailEvents } from './emit-mail-events.ts'
import { journeyHref, mailTelemetryRegistry } from './mail-events.ts'

const occurredAt = new Date('2026-03-01T10:00:00Z')

/** A store that keeps a record per dedupe key, as telemetry does. */
function storeOf(options: { readonly names?: readonly string[]; failAt?: number } = {}) {
  const { names = Object.keys(mailTelemetryRegistry) } = options
  const kept = new Map<string, { readonly name: string; readonly record: EmitRecord }>()
  const forgotten: string[] = []
  const store = {
    async emit(name: string, record: EmitRecord) {
      if (kept.size === options.failAt) throw new Error('the database went away')
      const id = record.dedupeKey ?? ''
      if (kept.has(id)) return { id, outcome: 'deduped' as const }
      kept.set(id, { name, record })
      return { id, outcome: 'written' as const }
    },
    async forget(tenantId: string, ref: string) {
      forgotten.push(`${tenantId} ${ref}`)
      return {} as never
    },
    registry: {
      event: (name: string) =>
        names.includes(name) ? { kind: 'event' as const, origin: 'server' as const } : undefined
    }
  }
  const telemetry: MailTelemetry = { store, tenantId: 'acme' }
  return { telemetry, kept, forgotten, options }
}

async function bench(t: Test, from: ReturnType<typeof storeOf> = storeOf()) {
  const parts = await testContext(t, { config: { telemetry: from.telemetry } })
  const { context } = parts
  const mail = async (key: string) => {
    const send = { dedupeKey: key, lane: 'bulk', kind: 'marketing', templateSlug: 'news' } as const
    await queueSends(context, [{ ...send, externalId: 'c1', emailAtSend: 'c1@example.test' }])
    const row = await context.collections.sends.findOne({ dedupeKey: key })
    if (row === null) throw new Error('no mail')
    return { ...row, provider: 'smtp', flowSlug: 'welcome' }
  }
  const record = async (
    send: Parameters<typeof outcomeOf>[0],
    type: MailOutcomeType,
    more: Partial<NewOutcome> = {}
  ) => recordOutcomes(context, [{ ...outcomeOf(send, { type, occurredAt }), ...more }])
  const names = () => [...from.kept.values()].map(({ name }) => name).sort()
  return { ...parts, ...from, mail, record, names }
}

test('every kind of outcome but a failed hand-over is recorded as one event', async (t) => {
  const { context, mail, record, names } = await bench(t)
  const send = await mail('m1')
  const types = ['accepted', 'delivered', 'open', 'click', 'soft_bounce', 'hard_bounce'] as const
  for (const type of [...types, 'complaint', 'unsubscribe', 'send_failed'] as const)
    await record(send, type)
  await emitMailEvents(context)
  t.same(names(), [...Object.keys(mailTelemetryRegistry), 'mail.bounced'].sort())
})

test('an event says whose mail it is, of which template and flow, and by which provider', async (t) => {
  const { context, kept, mail, record } = await bench(t)
  const send = await mail('m1')
  await record(send, 'click', { eventId: 'l1:machine', isMachine: true })
  await record(send, 'soft_bounce')
  await emitMailEvents(context)
  const [click, bounce] = [...kept.values()].map(({ record: one }) => one)
  t.match(click, {
    tenantId: 'acme',
    occurredAt,
    subjects: [{ type: 'user', id: 'c1' }],
    traceId: send._id,
    actor: 'machine:scanner',
    attrs: {
      template: 'news',
      kind: 'marketing',
      flow: 'welcome',
      provider: 'smtp',
      send: send._id,
      machine: true
    }
  })
  t.match(bounce, { attrs: { bounce: 'soft' } })
  t.notOk(bounce?.actor)
})

test('a crash between writing and remembering repeats a page without harm', async (t) => {
  const from = storeOf()
  const { context, kept, mail, record, names } = await bench(t, from)
  for (const key of ['m1', 'm2', 'm3']) await record(await mail(key), 'accepted')
  from.options.failAt = 2
  await t.rejects(emitMailEvents(context, { limit: 2 }), /went away/)
  delete from.options.failAt
  await context.collections.feedReaders.updateOne({ _id: 'telemetry' }, { $set: { place: 0 } })
  await Promise.all([emitMailEvents(context, { limit: 2 }), emitMailEvents(context, { limit: 2 })])
  t.same(names(), ['mail.sent', 'mail.sent', 'mail.sent'])
  t.equal(kept.size, 3)
  const reader = await context.collections.feedReaders.findOne({ _id: 'telemetry' })
  t.equal(reader?.place, 3)
})

test('without the events in the registry nothing is read, and a line says so', async (t) => {
  const from = storeOf({ names: ['mail.sent'] })
  const { context, kept, mail, record, logged } = await bench(t, from)
  await record(await mail('m1'), 'accepted')
  await emitMailEvents(context)
  t.equal(kept.size, 0)
  t.match(logged, [{ level: 'warn', fields: { missing: 'mail.delivered' } }])
})

test('erasing a contact erases the person in telemetry', async (t) => {
  const { context, mail, record, forgotten } = await bench(t)
  await record(await mail('m1'), 'accepted')
  await forget(context, 'c1')
  t.same(forgotten, ['acme user:c1'])
})

test('a contact who was erased while events were on their way is erased again', async (t) => {
  const { context, mail, record, forgotten } = await bench(t)
  await record(await mail('m1'), 'accepted')
  await context.collections.sends.deleteMany({ externalId: 'c1' })
  await emitMailEvents(context)
  t.same(forgotten, ['acme user:c1'])
})

test('a mail links to the page of the person, whose id may hold anything', async (t) => {
  t.equal(journeyHref('/telemetry/journey', 'a&b'), '/telemetry/journey?subject=user%3Aa%26b')
  t.equal(journeyHref(undefined, 'a'), undefined)
})
