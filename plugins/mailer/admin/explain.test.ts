// Every list of the admin API reads an index in its order: no scan, no sort.

import { readNewest } from '@keelson/sdk'
import type { Collection, Filter } from 'mongodb'
import { test } from 'tap'
import { countMailStages, PROGRESS_INDEX } from '../campaigns/broadcasts/count-mails.ts'
import { countStatusStages, STATUS_INDEX } from '../campaigns/broadcasts/measure-broadcast.ts'
import { countStages, STEP_INDEX } from '../campaigns/flows/count-steps.ts'
import { FAILED, UNKNOWN } from '../delivery/sends/bring-back.ts'
import { heldFilter } from '../delivery/sends/count-held.ts'
import { FAILED_INDEX, filterOf } from '../delivery/sends/select-sends.ts'
import { testContext } from '../test/test-context.ts'

/** What the keys of `FAILED_INDEX` hold: a read of these alone reads no row. */
const KEYS = { _id: 0, status: 1, handoff: 1, state: 1, broadcastId: 1 } as const

const place = `${Date.UTC(2026, 0, 1)}.some-id`

/** What `readNewest` asks, explained instead of read. */
async function planOf(
  collection: Collection<never>,
  filter: object,
  time: string,
  cursor?: string
) {
  let plan: unknown
  const find = (asked: Filter<never>) => ({
    sort: (order: Record<string, -1>) => ({
      limit: () => ({
        async toArray() {
          plan = await collection.find(asked).sort(order).limit(10).explain('queryPlanner')
          return []
        }
      })
    })
  })
  const page = { time, maxLimit: 10, ...(cursor !== undefined && { cursor }) }
  await readNewest({ find } as never, filter, page)
  return JSON.stringify(plan)
}

test('each list has an index for its filter and its order, on the first page and later', async (t) => {
  const { context } = await testContext(t)
  const { sends, suppressions, auditLog, flowRuns, broadcasts } = context.collections
  const lists: readonly (readonly [string, unknown, object, string])[] = [
    ['time', sends, {}, 'queuedAt'],
    ['kind_time', sends, { kind: 'marketing' }, 'queuedAt'],
    ['status_time', sends, { status: 'sent' }, 'queuedAt'],
    ['template_time', sends, { templateSlug: 'news' }, 'queuedAt'],
    ['email_time', sends, { emailAtSend: 'c1@example.test' }, 'queuedAt'],
    ['flow_mails', sends, { flowSlug: 'welcome' }, 'queuedAt'],
    ['broadcast_mails', sends, { broadcastId: 'one' }, 'queuedAt'],
    ['reason_time', sends, { exitReason: 'broadcast_cancelled' }, 'queuedAt'],
    ['domain_time', sends, { toDomain: 'example.test' }, 'queuedAt'],
    ['time', sends, { queuedAt: { $gte: new Date(0), $lt: new Date() } }, 'queuedAt'],
    ['created', broadcasts, {}, 'createdAt'],
    ['added', suppressions, {}, 'addedAt'],
    ['scope_added', suppressions, { scope: 'all' }, 'addedAt'],
    ['reason_added', suppressions, { reason: 'manual' }, 'addedAt'],
    ['time', auditLog, {}, 'at'],
    ['time', auditLog, { at: { $gte: new Date(0), $lt: new Date() } }, 'at'],
    ['resource_slug', auditLog, { 'resource.slug': 'news' }, 'at'],
    ['resource_id', auditLog, { 'resource.id': 'news' }, 'at'],
    ['actor', auditLog, { actor: 'human:ann' }, 'at'],
    ['action', auditLog, { action: 'flow.pause' }, 'at'],
    ['actor_action', auditLog, { actor: 'human:ann', action: 'flow.pause' }, 'at'],
    ['flow_time', flowRuns, { flowId: 'one' }, 'enteredAt'],
    ['flow_status', flowRuns, { flowId: 'one', status: 'active' }, 'enteredAt'],
    [
      'flow_step',
      flowRuns,
      { flowId: 'one', status: 'active', flowVersion: 1, path: '0' },
      'enteredAt'
    ]
  ]
  for (const [index, collection, filter, time] of lists) {
    for (const cursor of [undefined, place]) {
      const plan = await planOf(collection as Collection<never>, filter, time, cursor)
      t.match(plan, new RegExp(`"indexName":"${index}"`), index)
      t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
    }
  }
})

/** The plan that was chosen, without those that were not. */
const chosen = (explained: object): string =>
  JSON.stringify(explained, (name, value) => (name === 'rejectedPlans' ? undefined : value))

test('runs of a flow and mails of a broadcast are counted by the keys of an index alone', async (t) => {
  const { context } = await testContext(t)
  const { flowRuns, sends } = context.collections
  const counts = [
    [flowRuns.aggregate(countStages('one'), STEP_INDEX), 'flow_step'],
    [sends.aggregate(countMailStages('one'), PROGRESS_INDEX), 'broadcast_progress'],
    [sends.aggregate(countStatusStages('one'), STATUS_INDEX), 'broadcast_status']
  ] as const
  for (const [count, index] of counts) {
    const plan = chosen(await count.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /COLLSCAN|"stage":"FETCH"/, index)
  }
})

test('failed mails that can be sent again are counted by the keys of an index alone', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  for (const broadcast of [{}, { broadcastId: 'one' }]) {
    const plan = chosen(
      await sends.find({ ...FAILED, ...broadcast }, { ...FAILED_INDEX, projection: KEYS }).explain()
    )
    t.match(plan, /"indexName":"failed"/)
    t.notMatch(plan, /COLLSCAN|"stage":"FETCH"/)
  }
})

test('mails that a gate holds are found by an index that has no others', async (t) => {
  const { context } = await testContext(t)
  for (const senderDomain of ['acme.test', null]) {
    const held = heldFilter({ senderDomain, error: 'circuit_breaker_tripped' })
    const plan = chosen(await context.collections.sends.find(held).explain('queryPlanner'))
    t.match(plan, /"indexName":"held"/)
    t.notMatch(plan, /COLLSCAN/)
  }
})

test('the recipients of a broadcast are listed in the order of their index', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  const lists = [
    [
      sends.find({ broadcastId: 'one', status: 'sent', externalId: { $gt: 'a' } }),
      { externalId: 1 },
      'broadcast_status'
    ],
    [sends.find({ dedupeKey: { $gt: 'a', $lt: 'b' } }), { dedupeKey: 1 }, 'dedupe_key']
  ] as const
  for (const [list, order, index] of lists) {
    const plan = chosen(await list.sort(order).explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`))
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
  }
})

test('contacts of a state are found in the order of an index', async (t) => {
  const { context } = await testContext(t)
  const { subscriptions } = context.collections
  const query = subscriptions.find({ status: 'subscribed', externalId: { $gt: 'a' } })
  const plan = chosen(await query.sort({ externalId: 1 }).limit(51).explain('queryPlanner'))
  t.match(plan, /"indexName":"status_contact"/)
  t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
})

test('flows and templates are listed in the order of their index', async (t) => {
  const { context } = await testContext(t)
  const { flows, templates } = context.collections
  for (const query of [
    flows.find().sort({ updatedAt: -1, _id: 1 }),
    templates.find().sort({ updatedAt: -1 })
  ]) {
    const plan = JSON.stringify(await query.limit(500).explain('queryPlanner'))
    t.match(plan, /"indexName":"updated"/)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
  }
})

test('event names, and the statistics of one, are read from the index', async (t) => {
  const { context } = await testContext(t)
  const { events, hours } = context.collections
  const queries = [
    events.find({ name: { $gt: 'a' } }).sort({ name: 1, occurredAt: -1 }),
    events.find({ name: 'a' }).sort({ occurredAt: 1 }),
    events.find({ name: 'a' }).sort({ occurredAt: -1 }),
    events.find({ name: 'a', occurredAt: { $gte: new Date(0) } })
  ]
  for (const query of queries) {
    const plan = JSON.stringify(await query.limit(1).explain('queryPlanner'))
    t.match(plan, /"indexName":"name_time"/)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/)
  }
  const plan = JSON.stringify(await hours.find({ _id: { $gte: '2026' } }).explain('queryPlanner'))
  t.notMatch(plan, /COLLSCAN/)
})

test('mails that could be retried or resolved are found by an index, whatever selects them', async (t) => {
  const { context } = await testContext(t)
  const { sends } = context.collections
  const selections = [
    {},
    { kind: 'marketing' },
    { template: 'news' },
    { email: 'a@example.test' },
    { broadcast: 'cast' },
    { flow: 'welcome' },
    { domain: 'example.test' },
    { provider: 'smtp' },
    { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  ] as const
  for (const selection of selections) {
    for (const state of [FAILED, UNKNOWN]) {
      const filter = { $and: [state, await filterOf(context, selection)] }
      const plan = chosen(await sends.find(filter).explain('queryPlanner'))
      t.match(plan, /"stage":"IXSCAN"/, JSON.stringify(selection))
      t.notMatch(plan, /COLLSCAN/, JSON.stringify(selection))
    }
  }
  const parked = { handoff: 'queued', parkedAt: new Date(), lane: 'bulk' } as const
  t.match(chosen(await sends.find(parked).explain('queryPlanner')), /"indexName":"parked"/)
})
