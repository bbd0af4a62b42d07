// Erasing a person: the card with the log of erasures, and the dialog that asks for the name twice.
import { type Api, type KeelsonPage, type TableColumn, tableView, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ErasureAnswer, ReceiptAnswer } from './answer.ts'
import type { SystemWords } from './columns.ts'

const FORM = 'erasure-form'
const FIELDS = ['tenantId', 'subject', 'confirm'] as const
type Field = (typeof FIELDS)[number]

export interface ErasureOptions {
  readonly api: Pick<Api, 'act' | 'words'>
  /** Reads the page again, with the new entry of the log. */
  onErased(): void
}

/** The dialog, open at `?new=erasure`. */
export class ErasureDialog {
  readonly #page: KeelsonPage
  readonly #options: ErasureOptions
  #draft: Readonly<Record<Field, string>> = { tenantId: '', subject: '', confirm: '' }
  #receipt: ReceiptAnswer | undefined
  #problem = ''
  #isSending = false

  constructor(page: KeelsonPage, options: ErasureOptions) {
    this.#page = page
    this.#options = options
  }

  #close(): void {
    this.#draft = { tenantId: '', subject: '', confirm: '' }
    this.#receipt = undefined
    this.#problem = ''
    this.#page.go({ new: null }, { replace: true })
  }

  async #erase(isPlatform: boolean): Promise<void> {
    if (this.#isSending) return
    const { api, onErased } = this.#options
    const { tenantId, subject, confirm } = this.#draft
    this.#isSending = true
    this.#problem = ''
    this.#page.requestUpdate()
    try {
      const body = { subject, confirm, ...(isPlatform && { tenantId }) }
      this.#receipt = await api.act<ReceiptAnswer>('POST', '/api/system/erasures', body)
      onErased()
    } catch (error) {
      this.#problem = api.words(error)
    }
    this.#isSending = false
    this.#page.requestUpdate()
  }

  render(isPlatform: boolean): TemplateResult {
    const { t } = this.#page
    const receipt = this.#receipt
    const { tenantId, subject, confirm } = this.#draft
    const isOpen = this.#page.params.get('new') === 'erasure'
    const isReady = subject !== '' && confirm === subject && (!isPlatform || tenantId !== '')
    return html`<keelson-dialog
      ?open=${isOpen}
      heading=${t(receipt === undefined ? 'erasure.heading' : 'erasure.done')}
      width="460"
      @keelson-close=${() => this.#close()}
    >
      ${isOpen ? this.#body(isPlatform) : nothing}
      ${
        receipt === undefined
          ? html`<button slot="actions" class="btn quiet" @click=${() => this.#close()}>${t('ui.cancel')}</button>
            <button slot="actions" class="btn danger" form=${FORM} ?disabled=${!isReady || this.#isSending}
              >${t('erasure.action')}</button
            >`
          : html`<button slot="actions" class="btn primary" @click=${() => this.#close()}>${t('erasure.close')}</button>`
      }
    </keelson-dialog>`
  }

  #body(isPlatform: boolean): TemplateResult {
    return this.#receipt === undefined ? this.#form(isPlatform) : this.#result(this.#receipt)
  }

  #form(isPlatform: boolean): TemplateResult {
    const { t } = this.#page
    const onSubmit = (event: Event) => {
      event.preventDefault()
      void this.#erase(isPlatform)
    }
    return html`<form id=${FORM} class="key-form" @submit=${onSubmit}>
      <p>${t('erasure.text')}</p>
      ${isPlatform ? this.#field('tenantId') : nothing} ${this.#field('subject')} ${this.#field('confirm')}
      ${this.#problem === '' ? nothing : html`<p role="alert" class="problem">${this.#problem}</p>`}
    </form>`
  }

  #field(name: Field): TemplateResult {
    const { t } = this.#page
    const onInput = (event: Event) => {
      this.#draft = { ...this.#draft, [name]: (event.target as HTMLInputElement).value.trim() }
      this.#page.requestUpdate()
    }
    return html`<label>
      <span>${t(`erasure.${name}`)}</span>
      <input class="field" name=${name} required autocomplete="off" spellcheck="false"
        .value=${this.#draft[name]} @input=${onInput} />
      ${name === 'subject' ? html`<small class="dim">${t('erasure.subjectHint')}</small>` : nothing}
    </label>`
  }

  #result(receipt: ReceiptAnswer): TemplateResult {
    const { t } = this.#page
    const { number } = this.#page.format
    const left = Object.values(receipt.remaining).reduce((sum, count) => sum + count, 0)
    const row = (name: string, count: number) =>
      html`<dt>${t(`erasure.did.${name}`)}</dt><dd>${number(count)}</dd>`
    return html`<p role="status">${t('erasure.pseudonym', { pseudonym: receipt.pseudonym })}</p>
      <dl class="receipt">
        ${row('deleted', receipt.deleted)} ${row('redacted', receipt.redacted)}
        ${row('rollups', receipt.rollups)} ${row('captures', receipt.captures)}
        ${row('views', receipt.views)} ${row('alerts', receipt.alerts)}
        ${row('rejects', receipt.rejects)} ${row('left', left)}
      </dl>`
  }
}

export interface ErasureLogOptions extends SystemWords {
  readonly erasures: readonly ErasureAnswer[]
  readonly isPlatform: boolean
  /** Why the log could not be read. */
  readonly error: Error | undefined
  onErase(): void
}

function columns({ t, format, now, isPlatform }: ErasureLogOptions): TableColumn<ErasureAnswer>[] {
  const tenant: TableColumn<ErasureAnswer> = {
    id: 'tenant',
    header: t('column.tenant'),
    width: 110,
    hideBelow: 760,
    cell: ({ tenantId }) => tenantId
  }
  const figure = (name: 'deleted' | 'left'): TableColumn<ErasureAnswer> => ({
    id: name,
    header: t(`erasure.${name}`),
    width: 110,
    align: 'end',
    hideBelow: name === 'deleted' ? 560 : 0,
    cell: ({ did }) => (did === null ? t('erasure.unfinished') : format.number(did[name]))
  })
  return [
    {
      id: 'time',
      header: t('erasure.time'),
      width: 136,
      quiet: true,
      cell: ({ at }) => timeText(at, now, format),
      hint: ({ at }) => format.dateTime(at)
    },
    ...(isPlatform ? [tenant] : []),
    {
      id: 'person',
      header: t('erasure.person'),
      mono: true,
      hideBelow: 460,
      cell: ({ pseudonym }) => pseudonym,
      hint: ({ pseudonym }) => pseudonym
    },
    {
      id: 'by',
      header: t('erasure.by'),
      cell: ({ by }) => by ?? '–',
      hint: ({ by }) => by ?? undefined
    },
    figure('deleted'),
    figure('left')
  ]
}

/** The log, with the button that opens the dialog. */
export function erasureLog(options: ErasureLogOptions): TemplateResult {
  const { t, erasures, error, onErase } = options
  return tableView({
    heading: t('erasure.log'),
    note: t('erasure.logNote'),
    columns: columns(options),
    rows: erasures,
    error,
    actions: html`<button slot="actions" class="btn" @click=${onErase}>${t('erasure.open')}</button>`,
    empty: { heading: t('erasure.none'), text: t('erasure.noneText') }
  })
}
