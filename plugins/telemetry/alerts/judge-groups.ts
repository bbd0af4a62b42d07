// What the measurements of groups mean: which state each value of the dimension gets. Pure.
import type { AlertState } from '../schemas/alerts.ts'
import type { StoredGroup } from '../storage/stored-alert.ts'
import { conditionHolds, type Judging, type Measurement, nextState } from './judge.ts'
import { looksForLittle } from './window.ts'

/** Values of one rule that are watched at a time. */
export const MOST_GROUPS = 50

export type Measured = ReadonlyMap<string, Measurement>

export interface GroupWindow {
  readonly at: Date
  readonly windowMs: number
  readonly now: Measured
  /** Of the window before: for rules against it, and those that look for too little. */
  readonly before: Measured | undefined
}

export interface GroupChange {
  readonly group: string
  readonly from: AlertState
  readonly to: AlertState
  readonly now: Measurement
  readonly before: Measurement | undefined
}

export interface JudgedGroups {
  /** Those that are not ok. */
  readonly groups: readonly StoredGroup[]
  readonly changes: readonly GroupChange[]
  /** Of the whole rule: firing where one is. */
  readonly state: AlertState
  /** Of the group that is nearest to firing. */
  readonly value: number | null
}

/** Without records there is nothing to measure; to a count that is 0. */
const emptyOf = (isCount: boolean): Measurement => ({ value: isCount ? 0 : null, records: 0 })

/** Whether the window before must be measured. */
export const needsBefore = ({ condition }: Judging): boolean =>
  condition.type === 'change' || looksForLittle(condition)

/**
 * Watches the values with the most records, and first those that are not ok. A value that neither window has is gone:
 * its alert ends.
 */
export function judgeGroups(
  rule: Judging & { readonly isCount: boolean },
  known: readonly StoredGroup[],
  { at, windowMs, now, before }: GroupWindow
): JudgedGroups {
  const states = new Map(known.map((one) => [one.group, one]))
  const empty = emptyOf(rule.isCount)
  const changes: GroupChange[] = []
  const groups: StoredGroup[] = []
  const values: number[] = []
  for (const group of watched(states, now, looksForLittle(rule.condition) ? before : undefined)) {
    const last = states.get(group) ?? { group, state: 'ok', since: at, value: null }
    const measured = now.get(group) ?? empty
    const former = before === undefined ? undefined : (before.get(group) ?? empty)
    const isGone = measured.records === 0 && (former === undefined || former.records === 0)
    const holds = !isGone && conditionHolds(rule, measured, former)
    const sinceMs = at.getTime() - last.since.getTime()
    const state = nextState(last.state, holds, sinceMs, windowMs)
    if (measured.value !== null) values.push(measured.value)
    if (state !== last.state) {
      changes.push({ group, from: last.state, to: state, now: measured, before: former })
    }
    if (state === 'ok') continue
    const since = state === last.state ? last.since : at
    groups.push({ group, state, since, value: measured.value })
  }
  const isLow = looksForLittle(rule.condition)
  const extreme = (a: number, b: number) => (isLow ? Math.min(a, b) : Math.max(a, b))
  return {
    groups,
    changes,
    state: stateOf(groups),
    value: values.length === 0 ? null : values.reduce(extreme)
  }
}

function watched(
  states: ReadonlyMap<string, StoredGroup>,
  now: Measured,
  before: Measured = new Map()
): readonly string[] {
  const recordsOf = (group: string) =>
    Math.max(now.get(group)?.records ?? 0, before.get(group)?.records ?? 0)
  const others = [...new Set([...now.keys(), ...before.keys()])]
    .filter((group) => !states.has(group))
    .sort((a, b) => recordsOf(b) - recordsOf(a) || (a < b ? -1 : 1))
  return [...states.keys(), ...others].slice(0, MOST_GROUPS)
}

const stateOf = (groups: readonly StoredGroup[]): AlertState =>
  groups.some(({ state }) => state === 'firing') ? 'firing' : groups.length > 0 ? 'resolved' : 'ok'
