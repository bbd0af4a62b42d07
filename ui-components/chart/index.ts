// The public entry of @keelson/ui/chart: the chart, in a separate file because uPlot is in it.
import { define } from '../define.ts'
import { KeelsonChart } from './element.ts'

export type { ChartSeries, ChartTone } from '../elements/series-table/series.ts'
export { KeelsonChart } from './element.ts'

/** Registers `keelson-chart`. */
export function defineChart(): void {
  define(KeelsonChart)
}
