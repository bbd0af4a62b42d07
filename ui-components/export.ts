// What is shown, as a file: CSV for spreadsheets, JSON for everything else.
import { html, nothing, type TemplateResult } from 'lit'
import type { Cells } from './files.ts'

/** What a pair of export buttons saves. */
export interface Export {
  /** Of the file, without its ending. */
  readonly name: string
  /** What the JSON file holds. */
  readonly rows: readonly unknown[]
  /** Lines of the CSV file. Default: the rows themselves. */
  cells?(): readonly Cells[]
}

/** Writing files is loaded when the first one is asked for. */
async function download({ name, rows, cells }: Export, format: 'csv' | 'json'): Promise<void> {
  const { csvOf, saveFile } = await import('./files.ts')
  const isCsv = format === 'csv'
  const text = isCsv ? csvOf(cells?.() ?? (rows as Cells[])) : JSON.stringify(rows, null, 2)
  const type = isCsv ? 'text/csv' : 'application/json'
  saveFile(`${name}.${format}`, type, text)
}

/** Two quiet buttons for the line above a table (slot `actions`); nothing when there are no rows. */
export function exportButtons(
  exported: Export,
  t: (key: string, values: Record<string, string>) => string
): TemplateResult | typeof nothing {
  if (exported.rows.length === 0) return nothing
  const button = (format: 'csv' | 'json') => {
    const name = format.toUpperCase()
    const hint = t('ui.export', { format: name })
    return html`<button
      slot="actions"
      class="export"
      title=${hint}
      aria-label=${hint}
      @click=${() => void download(exported, format)}
    >${name}</button>`
  }
  return html`${button('csv')}${button('json')}`
}
