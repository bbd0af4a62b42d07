// The dialog that imports suppressions from a file, and says what became of each line.
import { html, nothing, type TemplateResult } from 'lit'
import type { ImportReport } from '../../audience/contacts/csv/import-suppressions.ts'
import type { ImportPreview } from '../../audience/contacts/csv/preview-import.ts'
import type { DialogBasics } from './dialogs.ts'
import { importPreview } from './import-preview.ts'

/** What the dialog shows. */
export interface ImportDialog extends Omit<DialogBasics, 'onSubmit'> {
  readonly result: ImportReport | undefined
  /** Of the chosen file; undefined before there is one. */
  readonly preview: ImportPreview | undefined
  onPick(file: File | undefined): void
  onColumns(columns: readonly string[]): void
  onFile(file: File | undefined): void
}

const MOST_LINES = 50

/** The dialog: first the file, then the result. */
export function importDialog(dialog: ImportDialog): TemplateResult {
  const { t, result, preview, problem, isSending, onPick, onColumns, onFile, onClose } = dialog
  const submit = (event: Event) => {
    event.preventDefault()
    const file = new FormData(event.currentTarget as HTMLFormElement).get('file')
    onFile(file instanceof File && file.size > 0 ? file : undefined)
  }
  return html`<keelson-dialog open heading=${t('suppressions.importHeading')} width="520" @keelson-close=${onClose}>
    ${
      result === undefined
        ? html`<form id="form" class="form" @submit=${submit}>
          <p>${t('suppressions.importText')}</p>
          <label class="part"><span>${t('suppressions.file')}</span>
            <input type="file" name="file" accept=".csv,.txt,text/csv" @change=${(event: Event) =>
              onPick((event.currentTarget as HTMLInputElement).files?.[0])} /></label>
          ${preview === undefined ? nothing : importPreview({ t, preview, onColumns })}
        </form>`
        : resultView(result, t)
    }
    <p role="status">${isSending ? t('ui.loading') : nothing}</p>
    ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
    ${
      result === undefined
        ? html`<button slot="actions" class="btn quiet" @click=${onClose}>${t('ui.cancel')}</button>
          <button slot="actions" class="btn primary" form="form" ?disabled=${isSending}>${t('suppressions.import')}</button>`
        : html`<button slot="actions" class="btn primary" @click=${onClose}>${t('suppressions.done')}</button>`
    }
  </keelson-dialog>`
}

function resultView(
  { taken, leftOut, broken, errors }: ImportReport,
  t: DialogBasics['t']
): TemplateResult {
  const shown = errors.slice(0, MOST_LINES)
  return html`<p>${t('suppressions.taken', { count: taken })}</p>
    ${leftOut === 0 ? nothing : html`<p>${t('suppressions.leftOut', { count: leftOut })}</p>`}
    ${
      broken === 0
        ? nothing
        : html`<p>${t('suppressions.broken', { count: broken })}</p>
          <ul class="history">${shown.map(({ line, message }) => html`<li>${t('suppressions.line', { line, message })}</li>`)}
            ${broken > shown.length ? html`<li class="dim">${t('suppressions.moreLines', { count: broken - shown.length })}</li>` : nothing}</ul>`
    }`
}
