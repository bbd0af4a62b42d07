// What a rule would have done in the past: the evaluations of a range, judged in order.

import { isAdditive, readMeasure } from '../queries/measure.ts'
import type { Reader } from '../queries/reader.ts'
import { QueryError, type TimeRange } from '../queries/types.ts'
import type { AlertPreview, AlertRuleSpec, AlertSignal, AlertState } from '../schemas/alerts.ts'
import { pauseMs } from './evaluate.ts'
import { conditionHolds, type Measurement, nextState } from './judge.ts'
import { type GroupedSignal, isGrouped, measureSignal } from './measure.ts'
import { measureWindow, readMinutes } from './minute-windows.ts'
import { measureGroupsAt, replayGroups } from './preview-groups.ts'
import { BUCKET_MINUTES, bucketOf } from './rule.ts'
import { looksForLittle, windowAt } from './window.ts'

/** Evaluations of one preview: of minutes of more than a month. */
const MOST_EVALUATIONS = 50_000
/** Of a signal that is read anew for each evaluation. */
const MOST_READS = 750
/** Changes of one answer of a rule by group. */
const MOST_CHANGES = 1000
/** Points of one answer. */
const MOST_POINTS = 750
const AT_ONCE = 8
/** Then what has been measured is judged. */
const LONGEST_MS = 15_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Judged {
  readonly at: number
  readonly now: Measurement
  readonly before: Measurement | undefined
}

export async function previewRule(
  reader: Reader,
  scope: string,
  rule: AlertRuleSpec,
  { from, to }: TimeRange
): Promise<AlertPreview> {
  if (!(from < to)) throw new QueryError('invalid time range')
  const end = Math.min(to.getTime(), reader.now().getTime())
  const step = stepOf(rule, reader)
  const times = evaluationTimes(step, from.getTime(), end)
  const { signal } = rule
  if (isGrouped(signal)) return previewGroups(reader, scope, { ...rule, signal }, { times, step })
  const judged =
    rule.signal.source === 'series' && isAdditive(readMeasure(rule.signal.measure).op)
      ? await judgeMinutes(reader, scope, { ...rule, signal: rule.signal }, times)
      : await measureAll(reader, scope, rule, times.slice(-MOST_READS))
  const changes = changesOf(rule, judged)
  const size = Math.ceil(judged.length / MOST_POINTS)
  return {
    fired: changes.filter((change) => change.to === 'firing').length,
    changes,
    points: pointsOf(rule, judged, size),
    stepMinutes: (step / MINUTE_MS) * Math.max(1, size),
    truncated: judged.length < times.length || times.length > MOST_EVALUATIONS
  }
}

async function previewGroups(
  reader: Reader,
  scope: string,
  rule: AlertRuleSpec & { readonly signal: GroupedSignal },
  { times, step }: { readonly times: readonly number[]; readonly step: number }
): Promise<AlertPreview> {
  const startedAt = performance.now()
  const isLate = () => performance.now() - startedAt > LONGEST_MS
  const asked = times.slice(-MOST_READS)
  const measured = await measureGroupsAt(reader, scope, { rule, times: asked, isLate })
  const { changes, points } = replayGroups(rule, measured)
  return {
    fired: changes.filter(({ to }) => to === 'firing').length,
    changes: changes.slice(-MOST_CHANGES),
    points,
    stepMinutes: step / MINUTE_MS,
    truncated: measured.length < times.length || changes.length > MOST_CHANGES
  }
}

/** Records and points are looked at as often as the rule itself does, families with buckets once a bucket. */
function stepOf({ signal, windowMinutes }: AlertRuleSpec, { registry }: Reader): number {
  if (signal.source === 'series' || signal.source === 'metric') return pauseMs(windowMinutes)
  const bucket = bucketOf(signal, registry())
  return (bucket === undefined ? windowMinutes : BUCKET_MINUTES[bucket]) * MINUTE_MS
}

/** Times of evaluations, ascending; each ends on a whole minute, those of whole hours on the hour. */
function evaluationTimes(step: number, from: number, to: number): number[] {
  const grain = step % HOUR_MS === 0 ? HOUR_MS : MINUTE_MS
  const times: number[] = []
  for (let at = Math.floor(to / grain) * grain; at > from; at -= step) {
    if (times.push(at) > MOST_EVALUATIONS) break
  }
  return times.reverse()
}

/** Every evaluation of a signal of records, from one read of its minutes. */
async function judgeMinutes(
  reader: Reader,
  scope: string,
  rule: AlertRuleSpec & { readonly signal: Extract<AlertSignal, { source: 'series' }> },
  times: readonly number[]
): Promise<readonly Judged[]> {
  const { condition, windowMinutes } = rule
  const windowOf = (at: number) => windowAt(at, windowMinutes, condition, undefined)
  const isChange = condition.type === 'change'
  const first = times[0] ?? 0
  const range = {
    from: isChange ? windowOf(first).before.from : windowOf(first).now.from,
    to: new Date(times.at(-1) ?? 0)
  }
  const startedAt = performance.now()
  const isLate = () => performance.now() - startedAt > LONGEST_MS
  const totals = await readMinutes(reader, scope, rule.signal, { range, isLate })
  return times.flatMap((at) => {
    const { now, before } = windowOf(at)
    if ((isChange ? before : now).from.getTime() < totals.from) return []
    return [
      {
        at,
        now: measureWindow(totals, now),
        before: isChange ? measureWindow(totals, before) : undefined
      }
    ]
  })
}

/** One point for each `size` evaluations: that which is nearest to firing. */
function pointsOf(
  { condition }: AlertRuleSpec,
  judged: readonly Judged[],
  size: number
): AlertPreview['points'] {
  const isLow = looksForLittle(condition)
  const extreme = (a: Judged, b: Judged) => {
    if (b.now.value === null) return a
    if (a.now.value === null) return b
    return b.now.value < a.now.value === isLow && b.now.value !== a.now.value ? b : a
  }
  const points: { at: Date; value: number | null }[] = []
  for (let from = 0; from < judged.length; from += Math.max(1, size)) {
    const { at, now } = judged.slice(from, from + size).reduce(extreme)
    points.push({ at: new Date(at), value: now.value })
  }
  return points
}

/** Newest first, so that what the time limit leaves out is the oldest. */
async function measureAll(
  reader: Reader,
  scope: string,
  rule: AlertRuleSpec,
  times: readonly number[]
): Promise<readonly Judged[]> {
  const bucket = bucketOf(rule.signal, reader.registry())
  const known = new Map<number, Promise<Measurement>>()
  const measure = (range: TimeRange) => {
    const key = range.from.getTime()
    const measured = known.get(key) ?? measureSignal(reader, scope, rule.signal, range)
    known.set(key, measured)
    return measured
  }
  const judged: Judged[] = []
  const startedAt = performance.now()
  for (let end = times.length; end > 0; end -= AT_ONCE) {
    if (performance.now() - startedAt > LONGEST_MS) break
    const some = times.slice(Math.max(0, end - AT_ONCE), end)
    const done = await Promise.all(
      some.map(async (at) => {
        const window = windowAt(at, rule.windowMinutes, rule.condition, bucket)
        const isChange = rule.condition.type === 'change'
        const before = isChange ? await measure(window.before) : undefined
        return { at, now: await measure(window.now), before }
      })
    )
    judged.unshift(...done)
  }
  return judged
}

/** The changes of state that measurements in order make. Pure. */
export function changesOf(rule: AlertRuleSpec, judged: readonly Judged[]): AlertPreview['changes'] {
  const changes: AlertPreview['changes'][number][] = []
  let state: AlertState = 'ok'
  let since = judged[0]?.at ?? 0
  for (const { at, now, before } of judged) {
    const holds = conditionHolds(rule, now, before)
    const next = nextState(state, holds, at - since, rule.windowMinutes * MINUTE_MS)
    if (next === state) continue
    changes.push({ at: new Date(at), from: state, to: next, value: now.value })
    state = next
    since = at
  }
  return changes
}
