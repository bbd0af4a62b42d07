// Every read of events, flows, runs and segments has its index.
import { test } from 'tap'
import type { FlowRunRow } from '../../ledger/flow-rows.ts'
import { testContext } from '../../test/test-context.ts'
import { awaitedQuery } from './runs/gather-facts.ts'

test('what handlers, lists and triggers read is found by an index', async (t) => {
  const { context } = await testContext(t)
  const { events, flows, flowRuns, flowVersions, flowMembers, notEntered } = context.collections
  const ids = { $in: ['c1', 'c2'] }
  const [flowId, status] = ['flow', 'active'] as const
  const newest = { enteredAt: -1, _id: -1 } as const
  const queries: readonly (readonly [string, { explain(mode: string): Promise<unknown> }])[] = [
    [
      'enabled_trigger',
      flows.find({ enabled: true, 'trigger.type': 'event', 'trigger.eventName': { $in: ['go'] } })
    ],
    ['enabled_trigger', flows.find({ enabled: true, 'trigger.type': 'cron' })],
    ['slug', flows.find({ slug: 'flow' })],
    ['contact_flow', flowRuns.find({ externalId: ids, status, state: 'leased' })],
    ['contact_flow', flowRuns.find({ externalId: ids, flowId: { $in: [flowId] } })],
    ['contact_flow', flowRuns.find({ externalId: 'c1', flowId, status })],
    ['waiting', flowRuns.find({ $or: [{ waitingFor: 'paid', externalId: ids }] })],
    ['parked', flowRuns.find({ parkedAt: { $exists: true }, status })],
    ['flow_time', flowRuns.find({ flowId }).sort(newest)],
    ['flow_status', flowRuns.find({ flowId, status }).sort(newest)],
    ['time', flowRuns.find().sort(newest)],
    [
      'flow_reason',
      notEntered
        .find({ flowId, reason: 'bounced', externalId: { $gt: '' } })
        .sort({ externalId: 1 })
    ],
    ['contact_time', notEntered.find({ externalId: 'c1' }).sort({ at: -1 })],
    ['contact_name_time', events.find({ externalId: ids, name: { $in: ['go'] } })],
    [
      'contact_name_time',
      events.find({ $or: [{ externalId: 'c1', name: 'go', occurredAt: { $gte: new Date(0) } }] })
    ],
    ['flow_step', flowRuns.find({ flowId, flowVersion: 1, path: { $in: ['0', '1'] }, status })],
    ['_id_', flowVersions.find().sort({ _id: 1 })],
    ['flow_version', flowVersions.find({ flowId }).sort({ version: -1 })],
    [
      'contact_name_time',
      events.find({
        $or: [
          awaitedQuery({
            externalId: 'c1',
            waitingFor: 'paid',
            triggerDedupeKey: 'key',
            waitingMatch: { property: 'order', value: 7 }
          } as FlowRunRow)
        ]
      })
    ],
    ['flow_scan', flowMembers.find({ flowId, scan: { $lt: 3 } })]
  ]
  for (const [index, query] of queries) {
    const plan = JSON.stringify(await query.explain('queryPlanner'))
    t.match(plan, new RegExp(`"indexName":"${index}"`), index)
    t.notMatch(plan, /"stage":"(COLLSCAN|SORT)"/, index)
  }
})
