// Evaluates a rule by group: measures each value of its dimension, and writes the states and changes of all together.
import { newRecordId } from '../envelope/record-id.ts'
import type { StoredAlert, StoredChange } from '../storage/stored-alert.ts'
import { deliveriesOf } from './deliveries.ts'
import { addChange } from './delivery-order.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import { summaryOf } from './judge.ts'
import { type GroupChange, judgeGroups, needsBefore } from './judge-groups.ts'
import { type GroupedSignal, isCount, measureGroups } from './measure.ts'
import { windowAt } from './window.ts'

const MINUTE_MS = 60_000

export interface GroupTask {
  readonly alert: StoredAlert
  readonly signal: GroupedSignal
  readonly at: Date
  /** Of the next evaluation. */
  readonly dueAt: Date
}

export async function evaluateGroups(context: EvaluationContext, task: GroupTask): Promise<void> {
  const { reader, storage, queue } = context
  const { alert, signal, at, dueAt } = task
  const { tenantId, windowMinutes, condition } = alert
  const window = windowAt(at.getTime(), windowMinutes, condition, undefined)
  const measure = (range: typeof window.now) => measureGroups(reader, tenantId, signal, range)
  const now = await measure(window.now)
  const before = needsBefore(alert) ? await measure(window.before) : undefined
  const rule = { ...alert, isCount: isCount(signal) }
  const windowMs = windowMinutes * MINUTE_MS
  const judged = judgeGroups(rule, alert.groups ?? [], { at, windowMs, now, before })
  const { alerts } = storage.collections
  const { groups, state, value } = judged
  const seen = { value, problem: null, evaluatedAt: at, dueAt, groups, state }
  const since = state === alert.state ? alert.since : at
  await storage.transaction(async (session) => {
    const filter = { _id: alert._id, revision: alert.revision, evaluatedAt: alert.evaluatedAt }
    const update = { $set: { ...seen, since } }
    const { matchedCount } = await alerts.updateOne(filter, update, { session })
    if (matchedCount === 0) return
    for (const change of judged.changes) {
      await addChange(storage, queue, changeOf(task, change), session)
    }
  })
}

function changeOf(
  { alert, signal, at }: GroupTask,
  { group, from, to, now, before }: GroupChange
): StoredChange {
  return {
    _id: newRecordId(at.getTime()),
    ruleId: alert._id,
    ruleName: alert.name,
    group,
    tenantId: alert.tenantId,
    at,
    from,
    to,
    value: now.value,
    previous: before?.value ?? null,
    summary: summaryOf({ ...alert, signal, group }, to, now, before),
    deliveries: to === 'ok' ? [] : deliveriesOf(alert.deliver)
  }
}
