// Whether the charts of a page are shown as tables: parameter `chart=table` of the address.
import type { KeelsonPage } from '../keelson-page.ts'
import type { Shortcut } from './shortcuts.ts'

/** Binds `view` and `@keelson-view` of `keelson-chart` to the address. */
export class ChartView {
  readonly #page: KeelsonPage

  constructor(page: KeelsonPage) {
    this.#page = page
  }

  /** How charts are shown. */
  get value(): 'chart' | 'table' {
    return this.#page.params.get('chart') === 'table' ? 'table' : 'chart'
  }

  /** Shows charts as charts or as tables. */
  set(view: string): void {
    this.#page.go({ chart: view === 'table' ? 'table' : null }, { replace: true })
  }

  /** `@keelson-view` of a chart. */
  readonly onView = ({ detail }: CustomEvent<{ view: string }>): void => this.set(detail.view)

  /** T changes the view. */
  get shortcuts(): readonly Shortcut[] {
    const toggle = () => this.set(this.value === 'table' ? 'chart' : 'table')
    return [{ keys: 't', label: this.#page.t('chart.toggle'), run: toggle }]
  }
}
