// The dialog that imports suppressions from a file, and says what became of each line.
import { type KeelsonListPage, type ListDialog, type SaidWords, saidWords } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ImportReport } from '../../audience/contacts/csv/import-suppressions.ts'
import type { ImportPreview } from '../../audience/contacts/csv/preview-import.ts'
import type { MailApi } from '../mail-api.ts'
import { importPreview } from './import-preview.ts'
import type { Suppression } from './suppression.ts'

const MOST_LINES = 50
/** Of a file, for its preview: bytes. */
const MOST_SHOWN = 262_144

/** First the file, then the result, until it is closed. */
export class SuppressionImport {
  readonly #page: KeelsonListPage<Suppression>
  readonly #api: MailApi
  #file: File | undefined
  /** The fields that the reader chose; undefined: as they are found. */
  #columns: readonly string[] | undefined
  #preview: ImportPreview | undefined
  #problem = ''
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
          <input type="file" name="file" accept=".csv,.txt,text/csv" @change=${(event: Event) =>
            this.#show((event.currentTarget as HTMLInputElement).files?.[0])} /></label>
        ${this.#problem === '' ? nothing : html`<p role="alert" class="problem">${this.#problem}</p>`}
        ${this.#previewed()}`,
      send: (form) => this.#send(new FormData(form).get('file'))
    }
  }

  #previewed(): TemplateResult | typeof nothing {
    const preview = this.#preview
    if (preview === undefined) return nothing
    const onColumns = (columns: readonly string[]) => void this.#show(this.#file, columns)
    return importPreview({ words: this.#page, preview, onColumns })
  }

  /** Shows what the beginning of a file would become. */
  async #show(file: File | undefined, columns?: readonly string[]): Promise<void> {
    this.#file = file
    this.#columns = columns
    this.#preview = undefined
    this.#problem = ''
    this.#page.requestUpdate()
    if (file === undefined) return
    try {
      const part = new Blob([file.slice(0, MOST_SHOWN)], { type: 'text/csv' })
      const path = `/suppressions/import/preview${this.#query}`
      const preview = await this.#api.act<ImportPreview>('POST', path, part)
      // An answer about a file or columns that were changed meanwhile.
      if (this.#file === file && this.#columns === columns) this.#preview = preview
    } catch (error) {
      this.#problem = this.#api.words(error)
    }
    this.#page.requestUpdate()
  }

  get #query(): string {
    const columns = this.#columns
    return columns === undefined ? '' : `?${new URLSearchParams({ columns: columns.join(',') })}`
  }

  async #send(file: FormDataEntryValue | null): Promise<null> {
    const { list, t } = this.#page
    if (!(file instanceof File) || file.size === 0) throw new Error(t('suppressions.noFile'))
    const body = new Blob([file], { type: 'text/csv' })
    this.#result = await this.#api.act<ImportReport>(
      'POST',
      `/suppressions/import${this.#query}`,
      body
    )
    void this.#show(undefined)
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
      ${resultView(result, this.#page)}
      <button slot="actions" class="btn primary" @click=${close}>${t('suppressions.done')}</button>
    </keelson-dialog>`
  }
}

function resultView(
  { taken, leftOut, broken, errors }: ImportReport,
  words: SaidWords
): TemplateResult {
  const { t } = words
  const shown = errors.slice(0, MOST_LINES)
  return html`<p>${t('suppressions.taken', { count: taken })}</p>
    ${leftOut === 0 ? nothing : html`<p>${t('suppressions.leftOut', { count: leftOut })}</p>`}
    ${
      broken === 0
        ? nothing
        : html`<p>${t('suppressions.broken', { count: broken })}</p>
          <ul class="history">${shown.map((fault) => html`<li>${t('suppressions.line', { line: fault.line, message: saidWords(fault, words) })}</li>`)}
            ${broken > shown.length ? html`<li class="dim">${t('suppressions.moreLines', { count: broken - shown.length })}</li>` : nothing}</ul>`
    }`
}
