// Segments: what a definition may say, and whom it selects.

import fc from 'fast-check'
import { type Test, test } from 'tap'
import type { MailContact } from '../../contracts/mailer-core.ts'
import { testContext } from '../../test/test-context.ts'
import { createMemoryAdapter } from '../contacts/memory-adapter.ts'
import { suppress } from '../contacts/record-suppressions.ts'
import { tag } from '../contacts/tags.ts'
import { checkSegment } from './check-segment.ts'
import { propertyQuery } from './find-behaviour.ts'
import { countSegment, pageOfSegment } from './page-of-segment.ts'
import { planSegment } from './plan-segment.ts'

const DAY = 86_400_000
const contact = (externalId: string, more: Partial<MailContact> = {}): MailContact => ({
  externalId,
  email: `${externalId}@example.test`,
  tags: [],
  fields: {},
  ...more
})

async function open(t: Test, contacts: readonly MailContact[], writableTags = true) {
  const adapter = createMemoryAdapter(contacts, { writableTags })
  const parts = await testContext(t, { adapter })
  const { context } = parts
  const now = context.clock.now()
  const row = { source: 'test', createdAt: now, updatedAt: now, subscribedAt: now }
  await context.collections.subscriptions.insertMany(
    contacts.map(({ externalId }) => ({
      ...row,
      _id: externalId,
      externalId,
      status: 'subscribed' as const
    }))
  )
  const select = async (...filters: object[]) => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await pageOfSegment(
        context,
        { filters },
        { limit: 2, ...(cursor && { cursor }) }
      )
      ids.push(...page.members.map((member) => member.contact.externalId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return ids.join(' ')
  }
  return { ...parts, adapter, select, now }
}

const people = [
  contact('a', { tags: ['vip'], fields: { plan: 'pro', age: 30 } }),
  contact('b', { tags: ['vip', 'beta'], fields: { plan: 'free' } }),
  contact('c', { fields: { plan: 'pro' } }),
  contact('d')
]

const selections: readonly (readonly [string, object[], string])[] = [
  ['no filter', [], 'a b c d'],
  ['a field', [{ kind: 'fieldEquals', field: 'plan', value: 'pro' }], 'a c'],
  [
    'two values of fields, of which the adapter takes one',
    [
      { kind: 'fieldEquals', field: 'plan', value: 'pro' },
      { kind: 'fieldEquals', field: 'age', value: 30 }
    ],
    'a'
  ],
  ['a field out of a list', [{ kind: 'fieldIn', field: 'plan', values: ['pro', 'free'] }], 'a b c'],
  ['a field that exists', [{ kind: 'fieldExists', field: 'age' }], 'a'],
  [
    'two tags',
    [
      { kind: 'hasTag', tag: 'vip' },
      { kind: 'hasTag', tag: 'beta' }
    ],
    'b'
  ],
  ['a tag that is missing', [{ kind: 'notHasTag', tag: 'vip' }], 'c d'],
  [
    'any of two',
    [
      {
        kind: 'any',
        filters: [
          { kind: 'hasTag', tag: 'beta' },
          { kind: 'fieldExists', field: 'age' }
        ]
      }
    ],
    'a b'
  ],
  [
    'all of two inside any',
    [
      {
        kind: 'any',
        filters: [
          {
            kind: 'all',
            filters: [
              { kind: 'hasTag', tag: 'vip' },
              { kind: 'fieldEquals', field: 'plan', value: 'free' }
            ]
          },
          { kind: 'not', filter: { kind: 'fieldExists', field: 'plan' } }
        ]
      }
    ],
    'b d'
  ],
  ['a number', [{ kind: 'fieldCompare', field: 'age', operator: 'gte', value: 30 }], 'a'],
  [
    'a number that is too small',
    [{ kind: 'fieldCompare', field: 'age', operator: 'gt', value: 30 }],
    ''
  ],
  ['the opposite', [{ kind: 'not', filter: { kind: 'fieldExists', field: 'plan' } }], 'd']
]
for (const [name, filters, expected] of selections) {
  test(`a segment by ${name} selects over pages`, async (t) => {
    const { select } = await open(t, people)
    t.equal(await select(...filters), expected)
  })
}

test('tags that the mailer keeps count, and those of the host beside them', async (t) => {
  const { select, context } = await open(t, people, false)
  await tag(context, 'd', 'vip')
  t.equal(await select({ kind: 'hasTag', tag: 'vip' }), 'a b d')
  t.equal(await select({ kind: 'notHasTag', tag: 'vip' }), 'c')
})

test('events and opens of people select, within days where the filter says so', async (t) => {
  const { select, context, now, pass } = await open(t, people)
  const event = { name: 'paid', properties: {}, occurredAt: now, createdAt: now }
  await context.collections.events.insertMany([
    { ...event, _id: '1', externalId: 'a', dedupeKey: '1' },
    {
      ...event,
      _id: '2',
      externalId: 'b',
      dedupeKey: '2',
      occurredAt: new Date(now.getTime() - 9 * DAY)
    }
  ])
  const send = { lane: 'bulk', emailAtSend: null, kind: 'marketing', queuedAt: now } as const
  const known = { status: 'opened', handoff: 'sent', progress: 'ho' } as const
  const sent = { ...send, ...known, templateSlug: 'news' } as const
  await context.collections.sends.insertMany([
    { ...sent, _id: '1', dedupeKey: '1', externalId: 'c', openedAt: now, humanOpenedAt: now },
    { ...sent, _id: '2', dedupeKey: '2', externalId: 'd', openedAt: now }
  ])
  t.equal(await select({ kind: 'firedEvent', eventName: 'paid' }), 'a b')
  t.equal(await select({ kind: 'firedEvent', eventName: 'paid', withinDays: 3 }), 'a')
  t.equal(await select({ kind: 'notFiredEvent', eventName: 'paid' }), 'c d')
  t.equal(await select({ kind: 'opened', templateSlug: 'news' }), 'c')
  t.equal(await select({ kind: 'opened', templateSlug: 'other' }), '')
  t.equal(await select({ kind: 'notOpened' }), 'a b d')
  pass(4 * DAY)
  t.equal(await select({ kind: 'opened', withinDays: 3 }), '')
})

test('mails that were handed over and did not bounce count as received', async (t) => {
  const { select, context, now } = await open(t, people)
  const send = { lane: 'bulk', emailAtSend: null, kind: 'marketing', queuedAt: now } as const
  const sent = { ...send, status: 'sent', handoff: 'sent', progress: 'h' } as const
  const may = { ...sent, templateSlug: 'news', broadcastSlug: 'may', handedAt: now } as const
  await context.collections.sends.insertMany([
    { ...may, _id: '1', dedupeKey: '1', externalId: 'a' },
    { ...may, _id: '2', dedupeKey: '2', externalId: 'b', bouncedAt: now },
    { ...may, _id: '3', dedupeKey: '3', externalId: 'c', broadcastSlug: 'june' },
    { ...may, _id: '4', dedupeKey: '4', externalId: 'd', humanOpenedAt: now }
  ])
  t.equal(await select({ kind: 'received', broadcastSlug: 'may' }), 'a d')
  t.equal(await select({ kind: 'notReceived', broadcastSlug: 'may' }), 'b c')
  t.equal(await select({ kind: 'received', templateSlug: 'news' }), 'a c d')
  const again = [
    { kind: 'received', broadcastSlug: 'may' },
    { kind: 'notOpened', broadcastSlug: 'may' }
  ] as const
  t.equal(await select({ kind: 'all', filters: again }), 'a', 'who got it and did not open it')
})

test('clicks and opens of a given template or broadcast select', async (t) => {
  const { select, context, now } = await open(t, people)
  const send = { lane: 'bulk', emailAtSend: null, kind: 'marketing', queuedAt: now } as const
  const known = { status: 'clicked', handoff: 'sent', progress: 'hoc' } as const
  const sent = { ...send, ...known, templateSlug: 'news' } as const
  await context.collections.sends.insertMany([
    {
      ...sent,
      _id: '1',
      dedupeKey: '1',
      externalId: 'a',
      broadcastSlug: 'may',
      humanClickedAt: now
    },
    {
      ...sent,
      _id: '2',
      dedupeKey: '2',
      externalId: 'b',
      broadcastSlug: 'may',
      humanOpenedAt: now
    },
    {
      ...sent,
      _id: '3',
      dedupeKey: '3',
      externalId: 'c',
      templateSlug: 'tips',
      humanClickedAt: now
    },
    { ...sent, _id: '4', dedupeKey: '4', externalId: 'd', firstClickAt: now }
  ])
  t.equal(await select({ kind: 'clicked' }), 'a c', 'machines do not count')
  t.equal(await select({ kind: 'clicked', templateSlug: 'news' }), 'a')
  t.equal(await select({ kind: 'notClicked', templateSlug: 'news' }), 'b c d')
  t.equal(await select({ kind: 'opened', broadcastSlug: 'may' }), 'a b', 'a click proves an open')
  t.equal(await select({ kind: 'notClicked', broadcastSlug: 'may' }), 'b c d')
  t.equal(await select({ kind: 'clicked', broadcastSlug: 'june' }), '')
})

test('properties of events select, by equality, number and date', async (t) => {
  const { select, context, now } = await open(t, people)
  const properties = [
    { total: 120, plan: { name: 'pro' }, until: '2026-05-01T00:00:00Z' },
    { total: 80, plan: { name: 'free' }, until: new Date('2026-07-01') },
    { total: '120' }
  ]
  await context.collections.events.insertMany(
    properties.map((one, at) => ({
      _id: `${at}`,
      dedupeKey: `${at}`,
      externalId: 'abc'[at] ?? '',
      name: 'order',
      properties: one,
      occurredAt: new Date(now.getTime() - at * 2 * DAY),
      createdAt: now
    }))
  )
  const fired = (name: string, operator: string, value: unknown, more = {}) =>
    select({ kind: 'firedEvent', eventName: 'order', property: { name, operator, value }, ...more })
  t.equal(await fired('total', 'equals', 120), 'a')
  t.equal(await fired('total', 'gte', 80), 'a b')
  t.equal(await fired('total', 'gte', 80, { withinDays: 1 }), 'a')
  t.equal(await fired('total', 'lt', 100), 'b')
  t.equal(await fired('plan.name', 'equals', 'pro'), 'a')
  t.equal(await fired('until', 'gt', '2026-04-01'), 'a b')
  t.equal(await fired('until', 'gt', '2026-06-01'), 'b')
  const property = { name: 'total', operator: 'gt', value: 100 }
  t.equal(await select({ kind: 'notFiredEvent', eventName: 'order', property }), 'b c d')
  const both = { kind: 'firedEvent', eventName: 'order' }
  t.equal(await select(both, { ...both, property }), 'a')
})

test('events with a property are found by the index of contact and name', async (t) => {
  const { context } = await open(t, people)
  for (const value of [5, '2026-01-01']) {
    const property = { name: 'total', operator: 'gt', value } as const
    const filter = { externalId: { $in: ['a', 'b'] }, name: 'order', ...propertyQuery(property) }
    const plan = JSON.stringify(
      await context.collections.events.find(filter).explain('queryPlanner')
    )
    t.match(plan, /"indexName":"contact_name_time"/)
    t.notMatch(plan, /COLLSCAN/)
  }
})

test('only contacts who are subscribed, mailable and not suppressed are members', async (t) => {
  const { select, context } = await open(t, [...people, contact('e', { email: 'no address' })])
  await context.collections.subscriptions.updateOne(
    { _id: 'a' },
    { $set: { status: 'pending_doi' } }
  )
  await context.collections.subscriptions.deleteOne({ _id: 'b' })
  await suppress(context, 'C@example.test', { scope: 'marketing', reason: 'manual' })
  t.equal(await select(), 'd')
  t.match(await countSegment(context, { filters: [] }), { matched: 5, eligible: 1 })
  const pending = { filters: [{ kind: 'subscriptionStatus', equals: 'pending_doi' }] }
  t.match(await countSegment(context, pending), {
    matched: 1,
    eligible: 0,
    excluded: { not_confirmed: 1, suppressed: 0 }
  })
})

test('times of subscription select', async (t) => {
  const { select, now } = await open(t, people)
  const date = new Date(now.getTime() - DAY).toISOString()
  t.equal(await select({ kind: 'subscribedAfter', date }), 'a b c d')
  t.equal(await select({ kind: 'subscribedBefore', date }), '')
})

test('a page costs a few queries, whatever its size', async (t) => {
  const many = Array.from({ length: 300 }, (_, at) => contact(`c${at}`))
  const { context, commands } = await open(t, many, false)
  commands()
  const filters = [
    { kind: 'hasTag', tag: 'x' },
    { kind: 'firedEvent', eventName: 'paid' },
    { kind: 'opened' }
  ]
  await pageOfSegment(context, { filters: filters.map((filter) => ({ kind: 'not', filter })) })
  t.ok(commands().filter((name) => name !== 'getMore').length <= 5)
})

test('a sorted page is refused by an adapter that cannot sort', async (t) => {
  const adapter = { ...createMemoryAdapter(), supportsSort: false }
  const { context } = await testContext(t, { adapter })
  const sort = { field: 'age', direction: 'asc' } as const
  await t.rejects(pageOfSegment(context, { filters: [] }, { sort }), {
    code: 'MLR_FILTER_UNSUPPORTED'
  })
})

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['an unknown kind', { filters: [{ kind: '$where', value: '1' }] }, /"\$where" is unknown/],
  ['one inside not', { filters: [{ kind: 'not', filter: { kind: 'likes' } }] }, /"likes"/],
  ['a filter without a kind', { filters: [{}] }, /null is unknown/],
  ['a name with a dollar', { filters: [{ kind: 'fieldExists', field: '$where' }] }, /field/],
  [
    'an object as a value',
    { filters: [{ kind: 'fieldEquals', field: 'a', value: { $gt: '' } }] },
    /value/
  ],
  [
    '51 filters',
    { filters: Array.from({ length: 51 }, () => ({ kind: 'hasTag', tag: 'x' })) },
    /50/
  ],
  [
    '1001 values',
    { filters: [{ kind: 'fieldIn', field: 'a', values: Array.from({ length: 1001 }, () => 1) }] },
    /1000/
  ],
  [
    'a date that is none',
    { filters: [{ kind: 'subscribedAfter', date: '2026-99-99' }] },
    /2026-99-99/
  ],
  [
    'a comparison with a text that is no date',
    { filters: [{ kind: 'fieldCompare', field: 'age', operator: 'gt', value: 'thirty' }] },
    /value/
  ],
  [
    'a property compared with true',
    {
      filters: [
        {
          kind: 'firedEvent',
          eventName: 'x',
          property: { name: 'a', operator: 'gt', value: true }
        }
      ]
    },
    /true must be a date/
  ],
  [
    'a property with a dollar',
    {
      filters: [
        {
          kind: 'firedEvent',
          eventName: 'x',
          property: { name: '$where', operator: 'equals', value: 1 }
        }
      ]
    },
    /property/
  ],
  ['a list', [], /./],
  ['an unknown key', { filters: [], limit: 1 }, /limit/]
]
for (const [name, definition, message] of wrong) {
  test(`a definition with ${name} is refused`, async (t) => {
    const checked = checkSegment(definition)
    t.notOk(checked.ok)
    t.match('message' in checked ? checked.message : '', message)
  })
}

test('whatever a definition is, it is refused or planned, and no filter is lost', async (t) => {
  const leaf = fc.constantFrom(
    { kind: 'hasTag', tag: 'x' },
    { kind: 'fieldEquals', field: 'a', value: 1 },
    { kind: 'fieldExists', field: 'a' },
    { kind: 'opened' }
  )
  const filter = fc.oneof(
    leaf,
    fc.record({ kind: fc.constant('not'), filter: leaf }),
    fc.anything()
  )
  fc.assert(
    fc.property(
      fc.record({ filters: fc.array(filter, { maxLength: 6 }) }),
      fc.boolean(),
      (value, adapterHasTags) => {
        const checked = checkSegment(value)
        if (!checked.ok) return checked.message.length > 0
        const { host, rest } = planSegment(checked.definition, { adapterHasTags })
        return Object.keys(host).length + rest.length === checked.definition.filters.length
      }
    )
  )
  t.pass()
})
