// The table of one rollup family: its totals over the range.
import { exportButtons, icon, Load, tableView } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { Look } from '../look.ts'
import { widerLink } from '../parts.ts'
import { path } from '../requests.ts'
import { rollupCells, rollupColumns, rollupNotes, type Totals, totalId } from './rollup-columns.ts'

export class RollupTable {
  readonly #look: Look
  readonly load

  constructor(look: Look) {
    this.#look = look
    const { page, range, dashboard } = look
    this.load = new Load(page, {
      args: () => {
        const as = page.params.get('rollup')
        return as === null ? null : ([as, range.span.from, range.span.to] as const)
      },
      run: ([as, from, to], signal) =>
        dashboard.api.read<Totals>(
          path('rollups/totals', new URLSearchParams({ as }), { from, to }, {}),
          signal
        )
    })
  }

  content(as: string, heading: string): TemplateResult {
    const { page } = this.#look
    return html`<p>
        <a class="btn back" href=${page.address({ rollup: null })}
          >${icon('chevron-left', 14)}${page.t('journey.back')}</a
        >
      </p>
      ${this.#table(as, heading)}`
  }

  #table(as: string, heading: string): TemplateResult {
    const { page, dashboard, live } = this.#look
    const { t, format } = page
    const { load } = this
    const answer = load.value
    const rows = answer?.totals ?? []
    const { note = '', footer = '' } = answer === undefined ? {} : rollupNotes(answer, t)
    const words = {
      format,
      now: Date.now(),
      isPlatform: dashboard.isPlatform,
      t,
      subjectHref: (subject: string) => dashboard.href('journey', { subject })
    }
    return tableView({
      heading,
      note,
      footer,
      keys: true,
      total: answer?.values ?? null,
      columns: rollupColumns(rows, typeof answer?.bucket === 'string', words),
      rows,
      idOf: totalId,
      read: load,
      isLive: live.isOn,
      actions: exportButtons({ name: as, rows, cells: () => rows.map(rollupCells) }, t),
      empty: { heading: t('rollup.none'), action: widerLink(this.#look) }
    })
  }
}
