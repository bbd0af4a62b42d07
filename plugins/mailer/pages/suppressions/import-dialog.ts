// The dialog that imports suppressions from a file, and says what became of each line.
import type { KeelsonListPage, KeelsonPage, ListDialog } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ImportReport } from '../../audience/contacts/csv/import-suppressions.ts'
import type { MailApi } from '../mail-api.ts'
import type { Suppression } from './suppression.ts'

const MOST_LINES = 50

/** First the file, then the result, until it is closed. */
export class SuppressionImport {
  readonly #page: KeelsonListPage<Suppression>
  readonly #api: MailApi
  #result: ImportReport | undefined

  constructor(page: KeelsonListPage<Suppression>, api: MailApi) {
    this.#page = page
    this.#api = api
  }

  /** The dialog as it is now. */
  dialog(): ListDialog | TemplateResult {
    const { t } = this.#page
    if (this.#result !== undefined) return this.#report(this.#result)
    return {
      heading: t('suppressions.importHeading'),
      action: t('suppressions.import'),
      width: 520,
      body: html`<p>${t('suppressions.importText')}</p>
        <label class="part"><span>${t('suppressions.file')}</span>
          <input type="file" name="file" accept=".csv,.txt,text/csv" /></label>`,
      send: (form) => this.#send(new FormData(form).get('file'))
    }
  }

  async #send(file: FormDataEntryValue | null): Promise<null> {
    const { list, t } = this.#page
    if (!(file instanceof File) || file.size === 0) throw new Error(t('suppressions.noFile'))
    const body = new Blob([file], { type: 'text/csv' })
    this.#result = await this.#api.act<ImportReport>('POST', '/suppressions/import', body)
    await list.reload()
    return null
  }

  #report(result: ImportReport): TemplateResult {
    const { t, closeDialog } = this.#page
    const close = () => {
      this.#result = undefined
      closeDialog()
    }
    return html`<keelson-dialog open heading=${t('suppressions.importHeading')} width="520" @keelson-close=${close}>
      ${resultView(result, t)}
      <button slot="actions" class="btn primary" @click=${close}>${t('suppressions.done')}</button>
    </keelson-dialog>`
  }
}

function resultView({ taken, broken, errors }: ImportReport, t: KeelsonPage['t']): TemplateResult {
  const shown = errors.slice(0, MOST_LINES)
  return html`<p>${t('suppressions.taken', { count: taken })}</p>
    ${
      broken === 0
        ? nothing
        : html`<p>${t('suppressions.broken', { count: broken })}</p>
          <ul class="history">${shown.map(({ line, message }) => html`<li>${t('suppressions.line', { line, message })}</li>`)}
            ${broken > shown.length ? html`<li class="dim">${t('suppressions.moreLines', { count: broken - shown.length })}</li>` : nothing}</ul>`
    }`
}
