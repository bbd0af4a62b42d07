// The Suppressions page: addresses that get no mail, by reason and scope; adding and removing them.
import {
  controls,
  define,
  definePage,
  Filters,
  fieldFilters,
  KeelsonDialog,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  registerCatalog,
  Selection,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ImportReport } from '../../audience/contacts/csv/import-suppressions.ts'
import type { ImportPreview } from '../../audience/contacts/csv/preview-import.ts'
import { emptyList, listTable, queryOf } from '../list-table.ts'
import { apiAddress, mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { addSuppression, type DialogBasics, removeSuppression } from './dialogs.ts'
import { importDialog } from './import-dialog.ts'
import { isRemovable, type Suppression, scopeWords } from './suppression.ts'
import texts from './texts.en.json' with { type: 'json' }
import { registerSuppressionWords } from './words.ts'

const REASONS = [
  'unsubscribed',
  'hard_bounce',
  'complaint',
  'manual',
  'list_cleaning',
  'gdpr_forget'
]
/** Of a file, for its preview: bytes. */
const MOST_SHOWN = 262_144
const SCOPES = ['all', 'marketing', 'transactional', 'marketing_pause']

class SuppressionsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _problem: { state: true },
    _isSending: { state: true },
    _imported: { state: true },
    _preview: { state: true }
  }
  declare _problem: string
  declare _isSending: boolean
  /** What the last import came to, until its dialog is closed. */
  declare _imported: ImportReport | undefined
  /** What the chosen file would become. */
  declare _preview: ImportPreview | undefined
  /** The columns as the viewer named them; undefined: as they are known. */
  #columnNames: readonly string[] | undefined
  #file: File | undefined
  readonly #api = mailApi(this)
  readonly #filters = new Filters(this, {
    codec: fieldFilters(['email', 'scope', 'reason']),
    closes: { suppression: null }
  })
  readonly #selection = new Selection<Suppression>(this, {
    param: 'suppression',
    idOf: ({ _id }) => _id,
    closes: { dialog: null }
  })
  readonly #list = new ListLoad(this, {
    args: () => [this.#filters.params.toString()] as const,
    idOf: ({ _id }: Suppression) => _id,
    page: ([filters], { cursor }, signal) =>
      this.#api.list<Suppression>(
        `/suppressions?${queryOf({ limit: '50', ...Object.fromEntries(new URLSearchParams(filters)), cursor })}`,
        signal
      )
  })

  constructor() {
    super()
    this._problem = ''
    this._isSending = false
    this._imported = undefined
    this._preview = undefined
  }

  protected override get windowTitle(): string {
    return this.t('suppressions.title')
  }

  get #open(): Suppression | undefined {
    return this.#list.rows.find(({ _id }) => _id === this.#selection.id)
  }

  /** Sends what a dialog asks for; after a refusal it stays open with the reason. */
  async #send(act: () => Promise<unknown>, toast: string, closes: object): Promise<void> {
    if (this._isSending) return
    this._isSending = true
    this._problem = ''
    try {
      await act()
      this.toast({ text: toast, tone: 'good' })
      this.go({ dialog: null, ...closes }, { replace: true })
      await this.#list.reload()
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isSending = false
    }
  }

  /** Shows what the beginning of a file would become. */
  async #show(file: File | undefined, columns?: readonly string[]): Promise<void> {
    this.#file = file
    this.#columnNames = columns
    this._preview = undefined
    this._problem = ''
    if (file === undefined) return
    try {
      const path = `/suppressions/import/preview${this.#importQuery}`
      const part = new Blob([file.slice(0, MOST_SHOWN)], { type: 'text/csv' })
      const preview = await this.#api.act<ImportPreview>('POST', path, part)
      // An answer about a file or columns that were changed meanwhile.
      if (this.#file === file && this.#columnNames === columns) this._preview = preview
    } catch (error) {
      this._problem = this.#api.words(error)
    }
  }

  get #importQuery(): string {
    const columns = this.#columnNames
    return columns === undefined ? '' : `?${new URLSearchParams({ columns: columns.join(',') })}`
  }

  #closeImport(): void {
    this._imported = undefined
    void this.#show(undefined)
    this.go({ dialog: null }, { replace: true })
  }

  async #import(file: File | undefined): Promise<void> {
    if (this._isSending) return
    this._problem = file === undefined ? this.t('suppressions.noFile') : ''
    if (file === undefined) return
    this._isSending = true
    try {
      this._imported = await this.#api.act<ImportReport>(
        'POST',
        `/suppressions/import${this.#importQuery}`,
        new Blob([file], { type: 'text/csv' })
      )
      await this.#list.reload()
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isSending = false
    }
  }

  #add(data: FormData): Promise<void> {
    const { email, scope, notes } = Object.fromEntries(data) as Record<string, string>
    const body = { email, scope, reason: 'manual', source: 'admin', ...(notes && { notes }) }
    const toast = this.t('suppressions.addedToast', { email: email ?? '' })
    return this.#send(() => this.#api.act('POST', '/suppressions', body), toast, {})
  }

  #remove({ _id }: Suppression, data: FormData): Promise<void> {
    const reason = String(data.get('reason') ?? '').trim()
    const path = `/suppressions/${encodeURIComponent(_id)}`
    const act = () => this.#api.act('DELETE', path, reason === '' ? {} : { reason })
    return this.#send(act, this.t('suppressions.removed'), { suppression: null })
  }

  protected override content(): TemplateResult {
    const open = this.#open
    const selection = this.#selection
    return html`<keelson-page-header heading=${this.t('suppressions.title')}>
        <a class="btn" download href=${apiAddress(this, `/suppressions/export?${this.#filters.params}`)}>${this.t('suppressions.export')}</a>
        <a class="btn" href=${this.address({ dialog: 'import' })}>${this.t('suppressions.import')}</a>
        <a class="btn primary" href=${this.address({ dialog: 'add' })}>${this.t('suppressions.add')}</a>
      </keelson-page-header>
      <div class="main">
        ${this.#filters.chips([
          { id: 'email', label: this.t('suppressions.email') },
          { id: 'scope', label: this.t('suppressions.scope'), values: SCOPES },
          { id: 'reason', label: this.t('suppressions.reason'), values: REASONS, free: false }
        ])}
        <keelson-drawer
          ?open=${selection.id !== null && this.#list.value !== undefined}
          label=${this.t('suppressions.label')}
          @keelson-close=${selection.close}
        >
          ${listTable({
            slot: 'list',
            heading: this.t('suppressions.title'),
            note: this.t('suppressions.note'),
            columns: this.#columns(),
            list: this.#list,
            idOf: ({ _id }) => _id,
            selection,
            empty: emptyList(this, 'suppressions', this.#filters)
          })}
          ${selection.id === null ? nothing : this.#panel(open)}
        </keelson-drawer>
      </div>
      ${this.#dialog(open)}`
  }

  #dialog(open: Suppression | undefined): TemplateResult | typeof nothing {
    const dialog = this.params.get('dialog')
    const basics = (onSubmit: DialogBasics['onSubmit']): DialogBasics => ({
      t: this.t,
      problem: this._problem,
      isSending: this._isSending,
      onSubmit,
      onClose: () => {
        this._problem = ''
        this.go({ dialog: null }, { replace: true })
      }
    })
    if (dialog === 'add') return addSuppression(basics((data) => void this.#add(data)))
    if (dialog === 'import')
      return importDialog({
        ...basics(() => {}),
        result: this._imported,
        preview: this._preview,
        onPick: (file) => void this.#show(file),
        onColumns: (columns) => void this.#show(this.#file, columns),
        onFile: (file) => void this.#import(file),
        onClose: () => this.#closeImport()
      })
    if (dialog !== 'remove' || open === undefined) return nothing
    return removeSuppression(
      open,
      basics((data) => void this.#remove(open, data))
    )
  }

  #columns(): TableColumn<Suppression>[] {
    const now = Date.now()
    return [
      {
        id: 'email',
        header: this.t('suppressions.email'),
        grow: 2,
        link: true,
        cell: ({ email }) =>
          email ?? html`<span class="dim">${this.t('suppressions.erased')}</span>`,
        hint: ({ email }) => email ?? undefined
      },
      {
        id: 'reason',
        header: this.t('suppressions.reason'),
        width: 128,
        cell: ({ reason }) => this.t(`suppressed.${reason}`)
      },
      {
        id: 'scope',
        header: this.t('suppressions.scope'),
        width: 150,
        hideBelow: 520,
        cell: ({ scope }) => scopeWords(scope, this.t)
      },
      {
        id: 'source',
        header: this.t('suppressions.source'),
        hideBelow: 760,
        quiet: true,
        cell: ({ source = '–' }) => source,
        hint: ({ source }) => source
      },
      {
        id: 'added',
        header: this.t('suppressions.added'),
        width: 124,
        quiet: true,
        hideBelow: 420,
        cell: ({ addedAt }) => timeText(addedAt, now, this.format),
        hint: ({ addedAt }) => this.format.dateTime(addedAt)
      }
    ]
  }

  #panel(row: Suppression | undefined): TemplateResult {
    if (row === undefined)
      return html`<keelson-empty heading=${this.t('suppressions.missing')}></keelson-empty>`
    const { email, emailHash, scope, reason, source, notes, addedAt, expiresAt } = row
    return html`<div slot="header" class="panel-head">
        <h2>${email ?? this.t('suppressions.erased')}</h2>
      </div>
      <section class="panel-part">
        <dl class="facts">
          <dt>${this.t('suppressions.reason')}</dt><dd>${this.t(`suppressed.${reason}`)}</dd>
          <dt>${this.t('suppressions.scope')}</dt><dd>${scopeWords(scope, this.t)}</dd>
          <dt>${this.t('suppressions.added')}</dt><dd>${this.format.dateTime(addedAt)}</dd>
          <dt>${this.t('suppressions.expires')}</dt><dd>${expiresAt === null ? this.t('suppressions.never') : this.format.dateTime(expiresAt)}</dd>
          ${source === undefined ? nothing : html`<dt>${this.t('suppressions.source')}</dt><dd>${source}</dd>`}
          ${notes === undefined ? nothing : html`<dt>${this.t('suppressions.notes')}</dt><dd>${notes}</dd>`}
          <dt>${this.t('suppressions.hash')}</dt><dd class="mono">${emailHash}</dd>
        </dl>
      </section>
      <div class="panel-part">
        ${
          isRemovable(row)
            ? html`<a class="btn" href=${this.address({ dialog: 'remove' })}>${this.t('suppressions.remove')}</a>`
            : html`<p class="dim">${this.t('suppressions.stays')}</p>`
        }
      </div>`
  }
}

registerTexts()
registerSuppressionWords()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonFilterChips,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonError
)
definePage('mailer-suppressions', SuppressionsPage)
