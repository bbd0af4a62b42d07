// What a rule would have done in the past: the evaluations of a range, judged in order.

import type { Reader } from '../queries/reader.ts'
import { QueryError, type TimeRange } from '../queries/types.ts'
import type { AlertPreview, AlertRuleSpec, AlertState } from '../schemas/alerts.ts'
import { conditionHolds, type Measurement, nextState } from './judge.ts'
import { measureSignal } from './measure.ts'
import { bucketOf } from './rule.ts'
import { windowAt } from './window.ts'

/** Evaluations of one preview. */
const MOST_EVALUATIONS = 750
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
  const times = evaluationTimes(
    rule,
    from.getTime(),
    Math.min(to.getTime(), reader.now().getTime())
  )
  const kept = times.slice(-MOST_EVALUATIONS)
  const judged = await measureAll(reader, scope, rule, kept)
  const changes = changesOf(rule, judged)
  return {
    fired: changes.filter((change) => change.to === 'firing').length,
    changes,
    points: judged.map(({ at, now }) => ({ at: new Date(at), value: now.value })),
    stepMinutes: rule.windowMinutes,
    truncated: judged.length < times.length
  }
}

/** One evaluation a window, ascending; windows of whole hours end on the hour. */
function evaluationTimes({ windowMinutes }: AlertRuleSpec, from: number, to: number): number[] {
  const step = windowMinutes * MINUTE_MS
  const last = windowMinutes % 60 === 0 ? Math.floor(to / HOUR_MS) * HOUR_MS : to
  const times: number[] = []
  for (let at = last; at > from && times.length <= MOST_EVALUATIONS; at -= step) times.unshift(at)
  return times
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
export function changesOf(
  { condition, windowMinutes }: AlertRuleSpec,
  judged: readonly Judged[]
): AlertPreview['changes'] {
  const changes: AlertPreview['changes'][number][] = []
  let state: AlertState = 'ok'
  let since = judged[0]?.at ?? 0
  for (const { at, now, before } of judged) {
    const holds = conditionHolds(condition, now, before)
    const next = nextState(state, holds, at - since, windowMinutes * MINUTE_MS)
    if (next === state) continue
    changes.push({ at: new Date(at), from: state, to: next, value: now.value })
    state = next
    since = at
  }
  return changes
}
