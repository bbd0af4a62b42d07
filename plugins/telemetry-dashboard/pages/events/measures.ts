// What the chart and the groups of events measure: which figures there are, and how one is written.
import type { Format } from '@keelson/ui'
import { figureText, keyHeading } from '../figures.ts'
import { metricKeys, type RegistryAnswer } from '../registry.ts'
import type { Words } from './tile-view.ts'

/** Before a metric, as `p95:load_ms`: all that the API takes. */
export const OF_A_METRIC = ['avg', 'p50', 'p95', 'p99', 'min', 'max', 'sum'] as const
export const OF_RECORDS = ['error_rate', 'unique'] as const

const metricOf = (measure: string): string => measure.slice(measure.indexOf(':') + 1)

/** Whether what is measured of parts adds up: then nothing measured is 0, and a share can be told. */
export const addsUp = (measure: string | null): boolean =>
  measure === null || measure === 'unique' || measure.startsWith('sum:')

/** The choices for the records of a name, or of all. `''` counts. */
export function measureChoices(
  registry: RegistryAnswer,
  name: string | null,
  t: Words['t']
): (readonly [id: string, text: string])[] {
  const isSpan = name === null || registry.registry[name]?.kind === 'span'
  const own = name === null ? [] : metricKeys(registry, name)
  const metrics = [...new Set(isSpan ? ['durationMs', ...own] : own)]
  const ids = metrics.flatMap((key) => OF_A_METRIC.map((op) => `${op}:${key}`))
  return [
    ['', t('measure.count')],
    ...[...OF_RECORDS, ...ids].map((id) => [id, measureLabel(id, t)] as const)
  ]
}

/** A measure as people say it: "p95 of load (ms)", "error rate". */
export function measureLabel(measure: string, t: Words['t']): string {
  const [op = measure] = measure.split(':')
  // Percentiles and extremes are called the same in every language.
  return t(`measure.${op.replace(/^[mp].*/, 'of')}`, { op, metric: keyHeading(metricOf(measure)) })
}

/** A figure in the unit of its measure. */
export function measureText(measure: string | null, value: number, format: Format): string {
  if (measure === 'error_rate') return format.percent(value / 100)
  if (measure === null || measure === 'unique') return format.compact(value)
  return figureText(metricOf(measure), value, format)
}
