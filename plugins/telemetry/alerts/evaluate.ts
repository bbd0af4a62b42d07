// Evaluates rules that are due: measures each, and writes its state and the change together.

import { newRecordId } from '../envelope/record-id.ts'
import type { Reader } from '../queries/reader.ts'
import type { AlertSignal } from '../schemas/alerts.ts'
import { type StoredAlert, type StoredChange, signalOf } from '../storage/stored-alert.ts'
import { deliveriesOf } from './deliveries.ts'
import { addChange } from './delivery-order.ts'
import { evaluateGroups } from './evaluate-groups.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import { conditionHolds, type Measurement, nextState, summaryOf } from './judge.ts'
import { isGrouped, measureSignal } from './measure.ts'
import { bucketOf } from './rule.ts'
import { windowAt } from './window.ts'

const MINUTE_MS = 60_000
/** Rules of a process that died are evaluated by another after it. */
const LEASE = { seconds: 60 }
/** Rules of one tick. */
const MOST_RULES = 500

/** A long window moves slowly: it is looked at less often, at least each quarter of an hour. */
export const pauseMs = (windowMinutes: number): number =>
  Math.min(15, Math.max(1, Math.floor(windowMinutes / 60))) * MINUTE_MS

/** Returns how many rules were evaluated: none while another process is at it. */
export async function evaluateDue(
  context: EvaluationContext,
  signal: AbortSignal | undefined
): Promise<number> {
  const options = { ...LEASE, ...(signal !== undefined && { signal }) }
  const evaluated = await context.lease('alert-rules', options, (lease) =>
    evaluateAll(context, lease.signal)
  )
  return evaluated.held ? evaluated.value : 0
}

async function evaluateAll(context: EvaluationContext, signal: AbortSignal): Promise<number> {
  const { storage, reader } = context
  const { alerts } = storage.collections
  for (let evaluated = 0; evaluated < MOST_RULES; evaluated++) {
    const now = reader.now()
    const due = { dueAt: { $lte: now } }
    const alert = signal.aborted ? null : await alerts.findOne(due, { sort: { dueAt: 1 } })
    if (alert === null) return evaluated
    await evaluateOne(context, alert, now)
  }
  return MOST_RULES
}

async function evaluateOne(
  context: EvaluationContext,
  alert: StoredAlert,
  at: Date
): Promise<void> {
  const { storage, reader } = context
  const dueAt = new Date(at.getTime() + pauseMs(alert.windowMinutes))
  const signal = signalOf(alert)
  try {
    if (isGrouped(signal)) {
      await evaluateGroups(context, { alert, signal, at, dueAt })
      return
    }
    const { now, before } = await measureAround(reader, alert, signal, at)
    await writeState(context, alert, { at, dueAt, now, before, signal })
  } catch (error) {
    const problem = ((error as Error).message ?? String(error)).slice(0, 500)
    await storage.collections.alerts.updateOne(
      { _id: alert._id, revision: alert.revision },
      { $set: { problem, evaluatedAt: at, dueAt } }
    )
  }
}

async function measureAround(
  reader: Reader,
  alert: StoredAlert,
  signal: AlertSignal,
  at: Date
): Promise<{ readonly now: Measurement; readonly before: Measurement | undefined }> {
  const { tenantId, condition, windowMinutes } = alert
  const window = windowAt(
    at.getTime(),
    windowMinutes,
    condition,
    bucketOf(signal, reader.registry())
  )
  const now = await measureSignal(reader, tenantId, signal, window.now)
  if (condition.type !== 'change') return { now, before: undefined }
  return { now, before: await measureSignal(reader, tenantId, signal, window.before) }
}

interface Evaluation {
  readonly at: Date
  readonly dueAt: Date
  readonly now: Measurement
  readonly before: Measurement | undefined
  readonly signal: AlertSignal
}

async function writeState(
  { storage, queue }: EvaluationContext,
  alert: StoredAlert,
  { at, dueAt, now, before, signal }: Evaluation
): Promise<void> {
  const { alerts } = storage.collections
  const holds = conditionHolds(alert, now, before)
  const sinceMs = at.getTime() - alert.since.getTime()
  const state = nextState(alert.state, holds, sinceMs, alert.windowMinutes * MINUTE_MS)
  const seen = { value: now.value, problem: null, evaluatedAt: at, dueAt }
  const filter = { _id: alert._id, revision: alert.revision, state: alert.state }
  if (state === alert.state) {
    await alerts.updateOne(filter, { $set: seen })
    return
  }
  const deliveries = state === 'ok' ? [] : deliveriesOf(alert.deliver)
  const change: StoredChange = {
    _id: newRecordId(at.getTime()),
    ruleId: alert._id,
    ruleName: alert.name,
    tenantId: alert.tenantId,
    at,
    from: alert.state,
    to: state,
    value: now.value,
    previous: before?.value ?? null,
    summary: summaryOf({ ...alert, signal }, state, now, before),
    deliveries
  }
  await storage.transaction(async (session) => {
    const update = { $set: { ...seen, state, since: at } }
    const { matchedCount } = await alerts.updateOne(filter, update, { session })
    if (matchedCount === 1) await addChange(storage, queue, change, session)
  })
}
