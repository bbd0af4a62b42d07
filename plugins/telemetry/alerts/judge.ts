// What a measurement means: whether the condition holds, and which state follows. Pure.
import { ERROR_RATE } from '../queries/measure.ts'
import type { AlertCondition, AlertRuleSpec, AlertSignal, AlertState } from '../schemas/alerts.ts'

/** What was measured over one window. */
export interface Measurement {
  /** null: there was nothing to measure, as an average of no rows. */
  readonly value: number | null
  /** How many records were measured; people of a funnel's cohort, or of an activity. 0: nothing was recorded. */
  readonly records: number
}

/** When a rule fires, as far as judging needs it. */
export type Judging = Pick<AlertRuleSpec, 'condition' | 'minimum'>

/** Over fewer records than the least of the rule nothing but their absence means anything. */
export function conditionHolds(
  { condition, minimum = 1 }: Judging,
  now: Measurement,
  before: Measurement | undefined
): boolean {
  if (condition.type === 'no-data') return now.records === 0
  if (minimum > 1 && now.records < minimum) return false
  switch (condition.type) {
    case 'threshold':
      if (now.value === null) return false
      return condition.op === 'above' ? now.value > condition.value : now.value < condition.value
    case 'change':
      return changeHolds(condition, now.value, before?.value ?? null)
  }
}

function changeHolds(
  { op, percent }: Extract<AlertCondition, { type: 'change' }>,
  now: number | null,
  before: number | null
): boolean {
  if (now === null || before === null) return false
  if (before === 0) return op === 'rise' ? now > 0 : now < 0
  const change = ((now - before) / Math.abs(before)) * 100
  return op === 'rise' ? change >= percent : -change >= percent
}

/** The state after an evaluation. `resolved` stands for one window, so that people see what has just been. */
export function nextState(
  state: AlertState,
  holds: boolean,
  sinceMs: number,
  windowMs: number
): AlertState {
  if (holds) return 'firing'
  if (state === 'firing') return 'resolved'
  if (state === 'resolved' && sinceMs < windowMs) return 'resolved'
  return 'ok'
}

/** One sentence for people. */
export function summaryOf(
  rule: Pick<AlertRuleSpec, 'name' | 'signal' | 'condition' | 'windowMinutes'> & {
    readonly group?: string
  },
  to: AlertState,
  now: Measurement,
  before: Measurement | undefined
): string {
  const { signal, condition, group } = rule
  const name = group === undefined ? rule.name : `${rule.name} (${group})`
  const act = { firing: 'is firing', resolved: 'is resolved', ok: 'is quiet again' }[to]
  const window = windowText(rule.windowMinutes)
  const what = `${signalText(signal)} over ${window}`
  const value = now.value === null ? 'nothing' : numberText(now.value)
  switch (condition.type) {
    case 'no-data':
      return `${name} ${act}: ${what} recorded ${now.records === 0 ? 'nothing' : value}.`
    case 'threshold':
      return `${name} ${act}: ${what} is ${value}; the limit is ${condition.op} ${numberText(condition.value)}.`
    case 'change': {
      const previous = before?.value ?? null
      const from = previous === null ? 'nothing' : numberText(previous)
      return `${name} ${act}: ${what} is ${value}, ${from} the period before; the limit is a ${condition.op} of ${numberText(condition.percent)}%.`
    }
  }
}

function signalText(signal: AlertSignal): string {
  switch (signal.source) {
    case 'series':
      return `${nameOfMeasure(signal.measure)} of ${recordsOf(signal)}`
    case 'metric':
      return `${nameOfMeasure(signal.measure)} of ${whereOf(signal.metric, signal.filters, signal.attrs)}`
    case 'rollup':
      return `${signal.measure ?? 'count'} of ${signal.as}`
    case 'distinct':
      return `distinct ${signal.as}`
    case 'funnel':
      return `${signal.value ?? 'pctOfFirst'} of ${signal.stage ?? signal.stages.at(-1) ?? ''}`
  }
}

/** The records, and what they are filtered by: `http.request where service is checkout`. */
function recordsOf({
  filters = {},
  attrs = {}
}: Extract<AlertSignal, { source: 'series' }>): string {
  const { name, kind, ...rest } = filters
  const named = name ?? kind ?? 'records'
  return whereOf(
    named,
    { ...(name !== undefined && kind !== undefined && { kind }), ...rest },
    attrs
  )
}

function whereOf(named: string, filters: object = {}, attrs: object = {}): string {
  const terms = Object.entries({ ...filters, ...attrs }).map(
    ([field, value]) => `${field} is ${String(value)}`
  )
  return terms.length === 0 ? named : `${named} where ${terms.join(' and ')}`
}

/** Measures that do not say themselves what their figure is. */
const MEASURE_NAMES: Readonly<Record<string, string>> = {
  [ERROR_RATE]: 'error rate (%)',
  rate: 'rate per second'
}

const nameOfMeasure = (measure = 'count'): string => MEASURE_NAMES[measure] ?? measure

/** Two places after the point; three digits of what is below 1, so that a rate is not 0. */
const numberText = (value: number) =>
  String(Math.abs(value) < 1 ? Number(value.toPrecision(3)) : Math.round(value * 100) / 100)

function windowText(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? '1 day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
  return `${minutes} minutes`
}
