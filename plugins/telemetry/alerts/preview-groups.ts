// What a rule by group would have done in the past: the evaluations of a range, judged in order for each value.
import type { Reader } from '../queries/reader.ts'
import type { TimeRange } from '../queries/types.ts'
import type { AlertPreview, AlertRuleSpec } from '../schemas/alerts.ts'
import type { StoredGroup } from '../storage/stored-alert.ts'
import { judgeGroups, type Measured, needsBefore } from './judge-groups.ts'
import { type GroupedSignal, isCount, measureGroups } from './measure.ts'
import { windowAt } from './window.ts'

const AT_ONCE = 4
const MINUTE_MS = 60_000

export interface GroupEvaluation {
  readonly at: number
  readonly now: Measured
  readonly before: Measured | undefined
}

interface Past {
  readonly rule: AlertRuleSpec & { readonly signal: GroupedSignal }
  /** Ascending. */
  readonly times: readonly number[]
  readonly isLate: () => boolean
}

/** Newest first, so that what the time limit leaves out is the oldest; answered ascending. */
export async function measureGroupsAt(
  reader: Reader,
  scope: string,
  { rule, times, isLate }: Past
): Promise<readonly GroupEvaluation[]> {
  const measure = (range: TimeRange) => measureGroups(reader, scope, rule.signal, range)
  const measured: GroupEvaluation[] = []
  for (let end = times.length; end > 0 && !isLate(); end -= AT_ONCE) {
    const some = times.slice(Math.max(0, end - AT_ONCE), end)
    const done = await Promise.all(
      some.map(async (at) => {
        const window = windowAt(at, rule.windowMinutes, rule.condition, undefined)
        const before = needsBefore(rule) ? await measure(window.before) : undefined
        return { at, now: await measure(window.now), before }
      })
    )
    measured.unshift(...done)
  }
  return measured
}

/** Changes of all values, and one point for each evaluation: of the value nearest to firing. Pure. */
export function replayGroups(
  rule: Past['rule'],
  evaluations: readonly GroupEvaluation[]
): Pick<AlertPreview, 'changes' | 'points'> {
  const changes: AlertPreview['changes'][number][] = []
  const points: AlertPreview['points'][number][] = []
  const windowMs = rule.windowMinutes * MINUTE_MS
  const judging = { ...rule, isCount: isCount(rule.signal) }
  let known: readonly StoredGroup[] = []
  for (const { at: time, now, before } of evaluations) {
    const at = new Date(time)
    const judged = judgeGroups(judging, known, { at, windowMs, now, before })
    known = judged.groups
    points.push({ at, value: judged.value })
    for (const { group, from, to, now: measured } of judged.changes) {
      changes.push({ at, from, to, value: measured.value, group })
    }
  }
  return { changes, points }
}
