// The System page: ingest outcomes, ingest keys, rejected records, retention, erasures.
import {
  controls,
  define,
  definePage,
  exportButtons,
  icon,
  KeelsonCopy,
  KeelsonDialog,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  Load,
  registerCatalog,
  Selection,
  Shortcuts,
  tableView
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { Dashboard } from '../dashboard.ts'
import { registerRecordTexts } from '../records/texts.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import {
  COUNTERS,
  identify,
  type KeyAnswer,
  type Reject,
  rejectCells,
  type SystemAnswer,
  type SystemPart,
  sortKeys
} from './answer.ts'
import { keyColumns, keyName, rejectColumns, type SystemWords } from './columns.ts'
import { ErasureDialog, erasureLog } from './erasure.ts'
import { keyDialog } from './key-dialog.ts'
import { firstUse, keyRequest } from './key-request.ts'
import { storagePart } from './storage.ts'
import { systemStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The name under which the store records what a key was not allowed to write. */
const REFUSED = 'ingest.refused'

class SystemPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, systemStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _freshKey: { state: true },
    _kind: { state: true },
    _tenantMode: { state: true },
    _problem: { state: true },
    _isSending: { state: true }
  }
  /** The key that was just created: kept only until the dialog is closed. */
  declare _freshKey: string | null
  declare _kind: string
  declare _tenantMode: string
  declare _problem: string
  declare _isSending: boolean
  #wasOpen = false
  readonly #dashboard = new Dashboard(this, { view: 'system' })
  readonly #api = this.#dashboard.api
  readonly #selection = new Selection<Reject>(this, { param: 'reject' })
  readonly #system = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.#api.read<SystemAnswer>('/api/system', signal)
  })

  readonly #erasure = new ErasureDialog(this, {
    api: this.#api,
    onErased: () => void this.#system.reload()
  })

  constructor() {
    super()
    this.#reset()
    const refresh = () => void this.#system.reload()
    const create = () => this.go({ new: 'key' })
    new Shortcuts(this, () => [
      ...this.#dashboard.shortcuts,
      { keys: 'r', label: this.t('ui.refresh'), run: refresh },
      ...(this.#isAdmin ? [{ keys: 'n', label: this.t('key.new'), run: create }] : [])
    ])
  }

  protected override get windowTitle(): string {
    return this.t('system.title')
  }

  get #isAdmin(): boolean {
    return this.#system.value?.role === 'admin'
  }

  get #words(): SystemWords {
    return { format: this.format, now: Date.now(), t: this.t }
  }

  #reset(): void {
    this._freshKey = null
    this._kind = 'secret'
    this._tenantMode = 'fixed'
    this._problem = ''
    this._isSending = false
  }

  #closeDialog(): void {
    this.#reset()
    this.go({ new: null }, { replace: true })
  }

  async #create(form: HTMLFormElement): Promise<void> {
    this._isSending = true
    this._problem = ''
    try {
      const request = keyRequest(new FormData(form), this.#dashboard.registry.value?.scope ?? '')
      const { key } = await this.#api.act<{ key: string }>('POST', '/api/system/keys', request)
      this._freshKey = key
      void this.#system.reload()
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isSending = false
    }
  }

  async #revoke(key: KeyAnswer): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('key.revokeHeading', { name: keyName(key) }),
      text: this.t('key.revokeText'),
      action: this.t('key.revokeAction'),
      tone: 'bad'
    })
    if (!isSure) return
    const path = `/api/system/keys/${encodeURIComponent(key.id)}/revoke`
    await this.#api.attempt(async () => {
      const { revoked } = await this.#api.act<{ revoked: number }>('POST', path)
      this.toast({ text: this.t(revoked === 1 ? 'key.revokedToast' : 'key.revokedAlready') })
      await this.#system.reload()
    })
  }

  get #isFormOpen(): boolean {
    return this.#isAdmin && this.params.get('new') === 'key'
  }

  protected override updated(): void {
    const isOpen = this.#isFormOpen
    if (isOpen && !this.#wasOpen) this.#focusForm()
    this.#wasOpen = isOpen
  }

  /** The first field, once the dialog is up: the browser would choose its close button. */
  #focusForm(): void {
    const field = this.renderRoot.querySelector<HTMLElement>('#key-form select')
    requestAnimationFrame(() => field?.focus())
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('system.title')}>
        <button class="btn" @click=${() => void this.#system.reload()}>
          ${icon('refresh', 14)}${this.t('ui.refresh')}
        </button>
        ${
          this.#isAdmin
            ? html`<button class="btn primary" @click=${() => this.go({ new: 'key' })}>
              ${this.t('key.new')}
            </button>`
            : nothing
        }
        ${this.#dashboard.views()}
      </keelson-page-header>
      <div class="main">${this.#body()}</div>
      ${this.#dialogs()}`
  }

  #body(): TemplateResult {
    const system = this.#system.value
    // What is below the keys is drawn once their number is known, so that nothing moves.
    return html`${this.#counters(system)} ${this.#indexes(system)}
      ${system === undefined || this.#isAdmin ? this.#keys(system) : nothing}
      ${this.#system.isFirst ? nothing : this.#rejects(system)}
      ${
        system === undefined
          ? nothing
          : storagePart({
              ...this.#words,
              storage: system.storage,
              backfills: system.backfills,
              error: this.#unread('storage')
            })
      }
      ${
        system === undefined || !this.#isAdmin
          ? nothing
          : erasureLog({
              ...this.#words,
              erasures: system.erasures,
              isPlatform: this.#dashboard.isPlatform,
              error: this.#unread('erasures'),
              onErase: () => this.go({ new: 'erasure' })
            })
      }`
  }

  /** Why a part of the answer is empty, when it could not be read. */
  #unread(part: SystemPart): Error | undefined {
    const isUnread = this.#system.value?.unread.includes(part) === true
    return isUnread ? new Error(this.t('system.unread')) : undefined
  }

  #counters(system: SystemAnswer | undefined): TemplateResult {
    return html`<div class="section">
        <h2>${this.t('system.counters')}</h2>
        <span class="dim">${this.t('system.countersNote')}</span>
      </div>
      <div class="tiles">
        ${COUNTERS.map((name) => {
          const value = system?.counters[name] ?? 0
          return html`<keelson-stat
            label=${this.t(`counter.${name}`)}
            value=${this.format.number(value)}
            against=${this.t(`counter.${name}Text`)}
            tone=${name === 'rejected' && value > 0 ? 'bad' : ''}
            .error=${this.#system.missing}
            ?loading=${this.#system.isFirst}
          ></keelson-stat>`
        })}
      </div>`
  }

  #indexes(system: SystemAnswer | undefined): TemplateResult {
    const unread = this.#unread('indexes')?.message
    const text =
      system === undefined
        ? '–'
        : (unread ??
          this.t('system.indexesText', { count: system.indexCount, budget: system.indexBudget }))
    return html`<div class="card indexes">
      <h2>${this.t('system.indexes')}</h2>
      <p class="quiet">${text}</p>
    </div>`
  }

  /** A rule that is ready but for its limit: one alert for each key. */
  #alertOnRefused(): TemplateResult {
    const rule = { new: 'rule', name: REFUSED, measure: 'sum:records', by: 'attr:key', amount: '0' }
    return html`<a class="btn" href=${this.#dashboard.href('alerts', rule)}>${this.t('key.alert')}</a>`
  }

  #keys(system: SystemAnswer | undefined): TemplateResult {
    return tableView({
      heading: this.t('key.heading'),
      note: this.t('key.note'),
      skeleton: 3,
      columns: keyColumns(this.#words, {
        isPlatform: this.#dashboard.isPlatform,
        revoke: (key) => void this.#revoke(key),
        refusedHref: (id) => this.#dashboard.href('events', { name: REFUSED, attrs: `key:${id}` })
      }),
      rows: sortKeys(system?.keys ?? []),
      read: this.#system,
      actions: html`${this.#alertOnRefused()} ${exportButtons({ name: 'keys', rows: system?.keys ?? [] }, this.t)}`,
      empty: { heading: this.t('key.none'), text: this.t('key.noneText') }
    })
  }

  #rejects(system: SystemAnswer | undefined): TemplateResult {
    const rows = identify(system?.quarantine ?? [])
    const selection = this.#selection
    const open = rows.find(({ id }) => id === selection.id)
    return tableView({
      heading: this.t('reject.heading'),
      note: this.t('reject.note'),
      skeleton: 5,
      columns: rejectColumns(this.#words, this.#dashboard.isPlatform),
      rows,
      read: this.#system,
      error: this.#unread('quarantine'),
      selection,
      actions: exportButtons(
        { name: 'quarantine', rows, cells: () => rows.map(rejectCells) },
        this.t
      ),
      empty: { heading: this.t('reject.none'), text: this.t('reject.noneText') },
      panel: {
        label: this.t('reject.label', { name: open?.name ?? '' }),
        isOpen: open !== undefined,
        content: open && this.#reject(open)
      }
    })
  }

  #reject({ name, reason, at, raw }: Reject): TemplateResult {
    return html`<div slot="header" class="reject-head">
        <h2>${name}</h2>
        <p class="dim">${this.format.dateTime(at, { millis: true })}</p>
      </div>
      <div class="reject">
        <section><h3>${this.t('reject.reason')}</h3><p>${reason}</p></section>
        <section>
          <h3>${this.t('reject.raw')}</h3>
          <pre tabindex="0">${JSON.stringify(raw, null, 2)}</pre>
        </section>
      </div>`
  }

  #dialogs(): TemplateResult {
    return html`${this.#keyDialog()}
      ${this.#isAdmin ? this.#erasure.render(this.#dashboard.isPlatform) : nothing}`
  }

  #keyDialog(): TemplateResult {
    const { ingestPath = '/ingest' } = (this.settings ?? {}) as { ingestPath?: string }
    const ingest = this.page.at(ingestPath).href
    return keyDialog({
      isOpen: this.#isFormOpen,
      freshKey: this._freshKey,
      isPlatform: this.#dashboard.isPlatform,
      kind: this._kind,
      tenantMode: this._tenantMode,
      isSending: this._isSending,
      problem: this._problem,
      example: this._freshKey === null ? '' : firstUse(ingest, this._freshKey, this._tenantMode),
      t: this.t,
      onChange: (form) => {
        const fields = new FormData(form)
        this._kind = String(fields.get('kind'))
        this._tenantMode = String(fields.get('tenantMode') ?? 'fixed')
      },
      onSubmit: (form) => void this.#create(form),
      onClose: () => this.#closeDialog()
    })
  }
}

registerTexts()
registerRecordTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonCopy
)
definePage('telemetry-dashboard-system', SystemPage)
