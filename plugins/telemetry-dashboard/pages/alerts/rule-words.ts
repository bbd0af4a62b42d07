// Rules of alerts as sentences: what one watches, and when it fires.
import type { AlertRule, AlertSignal } from '@keelson/telemetry'
import type { Filtered } from './rule.ts'

export interface Sayable {
  t(key: string, values?: Record<string, string | number>): string
  duration(ms: number): string
}

const termsOf = ({ filters = {}, attrs = {} }: Filtered): string[] => [
  ...Object.entries(filters).map(([key, value]) => (key === 'name' ? value : `${key} ${value}`)),
  ...Object.entries(attrs).map(([key, value]) => `${key}=${value}`)
]

const groupedText = (what: string, by: string | undefined, t: Sayable['t']): string =>
  by === undefined ? what : t('alert.of.by', { what, by: by.replace(/^attr:/, '') })

/** What a rule watches, as words: `count of page.viewed, plan=pro`. */
export function signalText(signal: AlertSignal, { t }: Sayable): string {
  switch (signal.source) {
    case 'series': {
      const terms = termsOf(signal)
      const of = terms.length === 0 ? t('alert.everything') : terms.join(', ')
      const { measure = 'count' } = signal
      const isRate = measure === 'error_rate'
      const what = t('alert.of', {
        measure: isRate ? t('alert.measure.error_rate') : measure,
        of
      })
      return groupedText(what, signal.by, t)
    }
    case 'metric': {
      const of = [signal.metric, ...termsOf(signal)].join(', ')
      const what = t('alert.of', { measure: t(`alert.read.${signal.measure}`), of })
      return groupedText(what, signal.by, t)
    }
    case 'rollup': {
      const of = [signal.as, ...(signal.dims ?? [])].join(', ')
      return t('alert.of', { measure: signal.measure ?? 'count', of })
    }
    case 'distinct':
      return t('alert.distinct', { of: signal.as })
    case 'funnel': {
      const stage = signal.stage ?? signal.stages[signal.stages.length - 1] ?? ''
      return t('alert.funnel', { value: t(`alert.value.${signal.value ?? 'pctOfFirst'}`), stage })
    }
  }
}

/** When a rule fires, as words: `above 5 within 1 hr`. */
export function conditionText(
  rule: Pick<AlertRule, 'condition' | 'windowMinutes' | 'minimum'>,
  words: Sayable
): string {
  const when = whenText(rule, words)
  const { minimum } = rule
  return minimum === undefined ? when : words.t('alert.when.minimum', { when, count: minimum })
}

function whenText(
  { condition, windowMinutes }: Pick<AlertRule, 'condition' | 'windowMinutes'>,
  { t, duration }: Sayable
): string {
  const window = duration(windowMinutes * 60_000)
  switch (condition.type) {
    case 'threshold':
      return t(`alert.when.${condition.op}`, { value: condition.value, window })
    case 'change':
      return t(`alert.when.${condition.op}`, { value: condition.percent, window })
    case 'no-data':
      return t('alert.when.no-data', { window })
  }
}
