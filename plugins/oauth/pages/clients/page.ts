// The Clients page: the applications that may ask for access; creating, changing and disabling them.
import {
  controls,
  define,
  definePage,
  type FieldError,
  KeelsonCopy,
  KeelsonDialog,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  Load,
  RequestError,
  registerCatalog,
  Selection,
  Shortcuts
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { ClientsAnswer, OneClientAnswer, OptionsAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { plainName } from '../names.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import type { FreshClient } from './answer.ts'
import { ClientActs, pathOf } from './client-acts.ts'
import { freshDialog, rotateForm } from './client-dialog.ts'
import { clientForm, otherFaults } from './client-form.ts'
import { clientColumns } from './columns.ts'
import {
  type ClientDraft,
  changeBody,
  createBody,
  draftOf,
  emptyDraft,
  limitBody,
  withPreset
} from './draft.ts'
import { listFilters } from './list-filters.ts'
import { clientPanel } from './panel.ts'
import texts from './texts.en.json' with { type: 'json' }

const SIZE = 50
type Dialog = 'new' | 'edit' | 'rotate'

const bodyOf = ({ registration }: ClientAnswer, draft: ClientDraft) =>
  registration === 'cimd' ? limitBody(draft) : changeBody(draft)

class ClientsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _draft: { state: true },
    _fresh: { state: true },
    _problem: { state: true },
    _faults: { state: true },
    _isSending: { state: true }
  }
  declare _draft: ClientDraft | undefined
  /** A client with its new secret: kept only until the dialog is closed. */
  declare _fresh: (FreshClient & { readonly isNew: boolean }) | undefined
  declare _problem: string
  declare _faults: readonly FieldError[]
  declare _isSending: boolean
  #dialogBefore: Dialog | undefined
  readonly #admin = new Admin(this, { namesClients: false, refresh: () => this.#refresh() })
  readonly #api = this.#admin.api
  readonly #selection = new Selection<ClientAnswer>(this, {
    param: 'client',
    idOf: ({ clientId }) => clientId
  })
  readonly #list = new ListLoad(this, {
    args: () => [this.#status, this.#search] as const,
    idOf: ({ clientId }: ClientAnswer) => clientId,
    page: ([status, search], { cursor }, signal) => {
      const query = new URLSearchParams({ limit: String(SIZE) })
      if (status !== '') query.set('status', status)
      if (search !== '') query.set('search', search)
      if (cursor !== null) query.set('cursor', cursor)
      return this.#api.read<ClientsAnswer>(`/admin/clients?${query}`, signal)
    }
  })
  readonly #options = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.#api.read<OptionsAnswer>('/admin/options', signal)
  })
  readonly #open = new Load(this, {
    quiet: true,
    args: () => (this.#openId === '' ? null : ([this.#openId] as const)),
    run: async ([id], signal) => (await this.#api.read<OneClientAnswer>(pathOf(id), signal)).client
  })

  readonly #acts = new ClientActs(this, {
    api: this.#api,
    onChanged: () => this.#refresh(),
    onRemoved: () => {
      this.go({ client: null }, { replace: true })
      void this.#list.reload()
    }
  })

  /** Not for administrators who may not see the clients. */
  #newButton(): TemplateResult | typeof nothing {
    if (this.#admin.isRefused) return nothing
    return html`<button class="btn primary" @click=${() => this.go({ dialog: 'new' })}>
      ${this.t('clients.new')}
    </button>`
  }

  constructor() {
    super()
    this._draft = undefined
    this._fresh = undefined
    this._problem = ''
    this._faults = []
    this._isSending = false
    const create = () => {
      if (!this.#admin.isRefused) this.go({ dialog: 'new' })
    }
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => this.#refresh() },
      { keys: 'n', label: this.t('clients.new'), run: create }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('clients.title')
  }

  #refresh(): void {
    void this.#list.reload()
    if (this.#openId !== '') void this.#open.reload()
  }

  get #status(): string {
    return this.params.get('status') ?? ''
  }

  /** The text that clients are searched by. */
  get #search(): string {
    return this.params.get('search') ?? ''
  }

  get #openId(): string {
    return this.#selection.id ?? ''
  }

  /** The open client, once it is the one that the address names. */
  get #client(): ClientAnswer | undefined {
    const { value } = this.#open
    return value?.clientId === this.#openId ? value : undefined
  }

  get #dialog(): Dialog | undefined {
    const dialog = this.params.get('dialog')
    if (dialog === 'new') return dialog
    return dialog === 'edit' || dialog === 'rotate' ? this.#client && dialog : undefined
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed)
    const options = this.#options.value
    const isForm = this.#dialog === 'new' || this.#dialog === 'edit'
    if (isForm && this._draft === undefined && options !== undefined) {
      const client = this.#client
      this._draft =
        this.#dialog === 'edit' && client !== undefined ? draftOf(client) : emptyDraft(options)
    } else if (this.#dialog === undefined) this._draft = undefined
  }

  protected override updated(): void {
    const dialog = this._draft === undefined && this.#dialog !== 'rotate' ? undefined : this.#dialog
    if (dialog !== undefined && dialog !== this.#dialogBefore) this.#focusForm()
    this.#dialogBefore = dialog
  }

  /** The first field, once the dialog is up: the browser would choose its close button. */
  #focusForm(): void {
    const field = this.renderRoot.querySelector<HTMLElement>('#form select, #form input')
    requestAnimationFrame(() => field?.focus())
  }

  #close(): void {
    this._draft = undefined
    this.#clearFaults()
    this.go({ dialog: null }, { replace: true })
  }

  #clearFaults(): void {
    this._problem = ''
    this._faults = []
  }

  /** Faults of fields stand beside them; the dialog shows the others. */
  #showFaults(error: unknown): void {
    this._faults = error instanceof RequestError ? error.fields : []
    const isPlaced = this._faults.length > 0 && otherFaults(this._faults).length === 0
    this._problem = isPlaced ? '' : this.#api.words(error)
    requestAnimationFrame(() => {
      this.renderRoot.querySelector<HTMLElement>('#form [aria-invalid]')?.focus()
    })
  }

  /** Sends what a dialog asks for; after a refusal the dialog stays open and shows the reason. */
  async #send(act: () => Promise<void>): Promise<void> {
    if (this._isSending) return
    this._isSending = true
    this.#clearFaults()
    try {
      await act()
      this.#close()
      this.#refresh()
    } catch (error) {
      this.#showFaults(error)
    } finally {
      this._isSending = false
    }
  }

  #create(draft: ClientDraft): Promise<void> {
    return this.#send(async () => {
      const fresh = await this.#api.act<FreshClient>('POST', '/admin/clients', createBody(draft))
      this._fresh = { ...fresh, isNew: true }
    })
  }

  #change(client: ClientAnswer, draft: ClientDraft): Promise<void> {
    return this.#send(async () => {
      await this.#api.act('PATCH', pathOf(client.clientId), bodyOf(client, draft))
      this.toast({
        text: this.t('client.savedToast', { name: plainName(draft.name) }),
        tone: 'good'
      })
    })
  }

  #rotate(client: ClientAnswer, form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form)
    const label = String(fields.get('label') ?? '').trim()
    const body = { retireAfter: Number(fields.get('grace')), ...(label !== '' && { label }) }
    return this.#send(async () => {
      const path = `${pathOf(client.clientId)}/rotate-secret`
      this._fresh = { ...(await this.#api.act<FreshClient>('POST', path, body)), isNew: false }
    })
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('clients.title')}>
        ${listFilters(this, this.#admin)} ${this.#admin.refreshButton()}
        ${this.#newButton()}
      </keelson-page-header>
      <div class="main">${this.#body()}</div>
      ${this.#dialogs()}`
  }

  #body(): TemplateResult {
    const id = this.#openId
    const client = this.#client
    return html`<keelson-drawer
      ?open=${id !== ''}
      width="420"
      label=${this.t('clients.label', { name: client === undefined ? id : plainName(client.name) })}
      @keelson-close=${this.#selection.close}
    >
      ${this.#table()}
      ${id === '' ? nothing : this.#panel(client)}
    </keelson-drawer>`
  }

  #table(): TemplateResult {
    const list = this.#list
    const selection = this.#selection
    return html`<keelson-table
      slot="list"
      keys
      heading=${this.t('clients.heading')}
      note=${this.t('clients.note')}
      .columns=${clientColumns({
        t: this.t,
        moment: (at) => this.#admin.moment(at),
        wholeTime: (at) => this.#admin.wholeTime(at)
      })}
      .rows=${list.rows}
      .rowId=${({ clientId }: ClientAnswer) => clientId}
      .rowHref=${selection.href}
      .selected=${selection.id}
      .loading=${list.isBusy}
      .more=${list.hasMore}
      .error=${list.failure}
      @keelson-more=${() => list.more()}
      @keelson-retry=${() => list.retry()}
      @keelson-open=${selection.onOpen}
      @keelson-move=${selection.onMove}
    >
      ${this.#empty()}
    </keelson-table>`
  }

  #empty(): TemplateResult {
    if (this.#status !== '' || this.#search !== '') {
      return html`<keelson-empty slot="empty" heading=${this.t('clients.noneLeft')}>
        <a class="btn" href=${this.address({ status: null, search: null })}>${this.t('admin.clear')}</a>
      </keelson-empty>`
    }
    return html`<keelson-empty
      slot="empty"
      heading=${this.t('clients.none')}
      text=${this.t('clients.noneText')}
    >
      <button class="btn" @click=${() => this.go({ dialog: 'new' })}>${this.t('clients.new')}</button>
    </keelson-empty>`
  }

  #panel(client: ClientAnswer | undefined): TemplateResult {
    if (client !== undefined) {
      return clientPanel({
        client,
        known: this.#options.value ?? {},
        format: this.format,
        t: this.t,
        href: (page) => this.#admin.href(page, { client: client.clientId }),
        onEdit: () => this.go({ dialog: 'edit' }),
        onRotate: () => this.go({ dialog: 'rotate' }),
        onDisable: () => void this.#acts.disable(client),
        onEnable: () => void this.#acts.enable(client),
        onDelete: () => void this.#acts.remove(client)
      })
    }
    const { failure } = this.#open
    if (failure === undefined) return html`<div class="panel-part"><span class="bone"></span></div>`
    const isMissing = (failure as { status?: number }).status === 404
    return isMissing
      ? html`<keelson-empty heading=${this.t('clients.missing')} text=${this.#openId}></keelson-empty>`
      : html`<keelson-error
        .error=${failure}
        retry
        @keelson-retry=${() => this.#open.reload()}
      ></keelson-error>`
  }

  #dialogs(): TemplateResult | typeof nothing {
    const { _fresh: fresh, _draft: draft } = this
    const { t } = this
    const options = this.#options.value
    if (fresh !== undefined) {
      const onClose = () => {
        this._fresh = undefined
      }
      return freshDialog({ fresh, isNew: fresh.isNew, issuer: options?.issuer ?? '', t, onClose })
    }
    const client = this.#client
    const basics = {
      isSending: this._isSending,
      problem: this._problem,
      t,
      onClose: () => this.#close()
    }
    if (this.#dialog === 'rotate' && client !== undefined) {
      const onSubmit = (form: HTMLFormElement) => void this.#rotate(client, form)
      return rotateForm({ ...basics, name: client.name, onSubmit })
    }
    if (draft === undefined || options === undefined) return nothing
    const changed = this.#dialog === 'edit' ? client : undefined
    return clientForm({
      ...basics,
      draft,
      options,
      faults: this._faults,
      isLimited: changed?.registration === 'cimd',
      changes: changed === undefined ? undefined : plainName(changed.name),
      onDraft: (next) => {
        this._draft = next
      },
      onPreset: (id) => {
        this._draft = withPreset(draft, id, options.presets)
      },
      onSubmit: () =>
        void (changed === undefined ? this.#create(draft) : this.#change(changed, draft))
    })
  }
}

registerTexts()
registerCatalog('en', texts)
define(
  KeelsonPageHeader,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonError,
  KeelsonCopy
)
definePage('oauth-clients', ClientsPage)
