// What is shown, or all of it, as a file: CSV for spreadsheets, JSON for everything else.
import { html, nothing, type TemplateResult } from 'lit'
import type { Export } from './save-export.ts'

/** Two quiet buttons for the line above a table (slot `actions`); nothing when there are no rows. */
export function exportButtons(
  exported: Export,
  t: (key: string, values: Record<string, string>) => string
): TemplateResult | typeof nothing {
  if (exported.rows.length === 0) return nothing
  const button = (format: 'csv' | 'json') => {
    const name = format.toUpperCase()
    const hint = t(exported.whole === undefined ? 'ui.export' : 'ui.exportAll', { format: name })
    return html`<button
      slot="actions"
      class="export"
      title=${hint}
      aria-label=${hint}
      @click=${async () => (await import('./save-export.ts')).saveExport(exported, format)}
    >${name}</button>`
  }
  return html`${button('csv')}${button('json')}`
}
