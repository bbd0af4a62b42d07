// Named states of a page in a dialog: save what is shown, open one, rename, share or delete it.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../controls.ts'
import { KeelsonDialog } from '../elements/dialog/element.ts'
import { KeelsonElement } from '../elements/element.ts'
import type { ViewGroup, ViewItem } from './item.ts'
import { viewsStyles } from './styles.ts'

/**
 * The dialog of saved views.
 *
 * @fires keelson-view-save - `{name, shared}`.
 * @fires keelson-view-change - `{id, name}`, `{id, shared}`, or `{id, over: true}` to save what is shown over it.
 * @fires keelson-view-delete - `{id, name}`.
 * @fires keelson-close - Closed, or a view was followed.
 */
export class KeelsonViews extends KeelsonElement {
  static readonly tag = 'keelson-views'
  static readonly uses = [KeelsonDialog]
  static override readonly styles = [controls, viewsStyles]
  static override readonly properties = {
    open: { type: Boolean },
    views: { attribute: false },
    groups: { attribute: false },
    nameless: { type: Boolean },
    problem: {},
    _renaming: { state: true }
  }
  declare open: boolean
  declare views: readonly ViewItem[]
  declare groups: readonly ViewGroup[]
  /** Viewers have no names here, so every view is shared. */
  declare nameless: boolean
  declare problem: string
  declare _renaming: string

  constructor() {
    super()
    this.open = false
    this.views = []
    this.groups = []
    this.nameless = false
    this.problem = ''
    this._renaming = ''
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('views')) this._renaming = ''
    if (changed.has('open') && this.open) this.#focus('#name')
    if (changed.has('_renaming') && this._renaming !== '') this.#focus('#rename')
  }

  /** Once the dialog is up: the browser would choose its close button. */
  #focus(selector: string): void {
    requestAnimationFrame(() => {
      const field = this.renderRoot.querySelector<HTMLInputElement>(selector)
      field?.focus()
      field?.select()
    })
  }

  #close(): void {
    this.send('keelson-close', {})
  }

  #save(event: Event): void {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const fields = new FormData(form)
    const name = String(fields.get('name')).trim()
    if (name === '') return
    this.send('keelson-view-save', { name, shared: this.nameless || fields.has('shared') })
    form.reset()
  }

  #rename(event: Event, id: string): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const name = String(fields.get('name')).trim()
    if (name !== '') this.send('keelson-view-change', { id, name })
  }

  override render(): TemplateResult {
    return html`<keelson-dialog
      ?open=${this.open}
      heading=${this.t('views.heading')}
      width="560"
      @keelson-close=${(event: Event) => {
        event.stopPropagation()
        this.#close()
      }}
    >${this.open ? this.#content() : nothing}</keelson-dialog>`
  }

  #content(): TemplateResult {
    return html`<form class="save" @submit=${this.#save}>
        <label>
          <span>${this.t('views.save')}</span>
          <input id="name" class="field" name="name" maxlength="200" autocomplete="off" required placeholder=${this.t('views.name')} />
        </label>
        <div class="row">
          <label class="row">
            <input type="checkbox" name="shared" .checked=${this.nameless} ?disabled=${this.nameless} />${this.t('views.forAll')}
          </label>
          <button class="btn primary push">${this.t('views.saveAction')}</button>
        </div>
      </form>
      ${this.problem === '' ? nothing : html`<p role="alert" class="problem">${this.problem}</p>`}
      <h3>${this.t('views.saved')}</h3>
      ${this.views.length === 0 ? html`<p class="dim">${this.t('views.none')}</p>` : this.#list(this.views)}
      ${this.groups.map(({ heading, views, open = false }) =>
        views.length === 0
          ? nothing
          : html`<details ?open=${open}>
            <summary>${heading} (${views.length})</summary>
            ${this.#list(views)}
          </details>`
      )}`
  }

  #list(views: readonly ViewItem[]): TemplateResult {
    return html`<ul>
      ${views.map((view) => html`<li>${this.#line(view)}</li>`)}
    </ul>`
  }

  #line(view: ViewItem): TemplateResult {
    const { id, name, href, note } = view
    if (id !== undefined && this._renaming === id) return this.#field(id, name)
    return html`<a class="link" href=${href} @click=${() => this.#close()}>${name}</a>
      <span class="dim">${note}</span>
      ${id === undefined ? nothing : this.#acts(view, id)}`
  }

  #acts({ name, isHere, shared = false, isOwned }: ViewItem, id: string): TemplateResult {
    const act = (key: string, run: () => void) => html`<button
      class="link"
      aria-label=${`${this.t(key)}: ${name}`}
      @click=${run}
    >${this.t(key)}</button>`
    const change = (detail: object) => this.send('keelson-view-change', { id, ...detail })
    const share = shared ? 'views.unshare' : 'views.share'
    return html`<span class="acts">
      ${isHere ? act('views.over', () => change({ over: true })) : nothing}
      ${act('views.rename', () => {
        this._renaming = id
      })}
      ${isOwned ? act(share, () => change({ shared: !shared })) : nothing}
      ${act('views.delete', () => this.send('keelson-view-delete', { id, name }))}
    </span>`
  }

  #field(id: string, name: string): TemplateResult {
    return html`<form class="row" @submit=${(event: Event) => this.#rename(event, id)}>
      <input id="rename" class="field" name="name" aria-label=${this.t('views.name')} maxlength="200" required .value=${name} />
      <button class="btn">${this.t('views.rename')}</button>
    </form>`
  }
}
