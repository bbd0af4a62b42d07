// What an import would make of a file: each column with what it is, and what the first rows become.
import { type SaidWords, saidWords } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ImportPreview } from '../../audience/contacts/csv/preview-import.ts'
import { scopeWords } from './suppression.ts'

const FIELDS = ['email', 'reason', 'scope', 'notes', 'source', 'addedAt', 'expiresAt', 'emailHash']

/** What the preview shows, and who hears that a column is something else. */
export interface PreviewView {
  readonly words: SaidWords
  readonly preview: ImportPreview
  /** The fields by place, an empty text for a column that is left out. */
  onColumns(columns: readonly string[]): void
}

/** The columns, each with a choice, and the first rows. */
export function importPreview({ words, preview, onColumns }: PreviewView): TemplateResult {
  const { t } = words
  const { columns, rows } = preview
  const fields = columns.map(({ field }) => field ?? '')
  return html`${preview.export === null ? nothing : html`<p role="note">${t('suppressions.known', { name: preview.export })}</p>`}
    <fieldset><legend>${t('suppressions.columns')}</legend>
      ${columns.map(
        ({ name, field, samples }, at) => html`<label class="part">
          <span>${name ?? t('suppressions.column', { number: at + 1 })}</span>
          <select class="field" @change=${(event: Event) => {
            const { value } = event.currentTarget as HTMLSelectElement
            onColumns(fields.map((one, place) => (place === at ? value : one === value ? '' : one)))
          }}>
            <option value="" ?selected=${field === null}>${t('suppressions.ignored')}</option>
            ${FIELDS.map((one) => html`<option value=${one} ?selected=${one === field}>${t(`suppressions.field.${one}`)}</option>`)}
          </select>
          <small class="dim">${samples.filter((sample) => sample !== '').join(' · ')}</small>
        </label>`
      )}
    </fieldset>
    ${
      rows.length === 0
        ? html`<p>${t('suppressions.nameAddresses')}</p>`
        : html`<h3>${t('suppressions.firstRows')}</h3>
          <ul class="history">${rows.map((row) => html`<li>${rowText(row, words)}</li>`)}</ul>`
    }`
}

function rowText(
  { line, outcome, email, scope, reason, message, said }: ImportPreview['rows'][number],
  words: SaidWords
): string {
  const { t } = words
  if (outcome === 'fault') {
    const fault = saidWords({ message: message ?? '', said }, words)
    return t('suppressions.line', { line, message: fault })
  }
  if (outcome === 'left_out') return t('suppressions.rowLeftOut', { line })
  const values = {
    email: email ?? t('suppressions.erased'),
    reason: t(`suppressed.${reason}`),
    scope: scopeWords(scope ?? '', t)
  }
  return t('suppressions.row', { line, ...values })
}
