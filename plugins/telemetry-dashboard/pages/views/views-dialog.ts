// The dialog of the views of the dashboard, and what it asks for. Loaded when it is opened.
import { type Api, type KeelsonPage, loadViews, registerCatalog, type ViewItem } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { View, ViewQuery } from '../../views/view.ts'
import texts from './texts.en.json' with { type: 'json' }
import { type ViewsAnswer, viewParams, viewsBy } from './view.ts'

export interface ViewsOptions {
  readonly page: KeelsonPage
  readonly api: Api
  /** The address of another page of the dashboard. */
  href(page: string, params: Readonly<Record<string, string>>): string
  /** The id of the page. */
  readonly view: string
  isAdmin(): boolean
}

export interface ViewsDialogOptions extends ViewsOptions {
  /** What the page shows. */
  query(): ViewQuery
}

interface Change {
  readonly id: string
  readonly name?: string
  readonly shared?: boolean
  readonly over?: true
}

export class ViewsDialog {
  readonly #options: ViewsDialogOptions
  #isOpen = false
  #answer: ViewsAnswer = { views: [], viewerRef: null }
  #problem = ''

  constructor(options: ViewsDialogOptions) {
    this.#options = options
    registerCatalog('en', texts, {
      de: () => import('./texts.de.json', { with: { type: 'json' } })
    })
  }

  get #page() {
    return this.#options.page
  }

  get #api() {
    return this.#options.api
  }

  async open(): Promise<void> {
    this.#isOpen = true
    await this.#try(loadViews)
  }

  #close(): void {
    this.#isOpen = false
    this.#page.requestUpdate()
  }

  /** Changes something and reads the list again, or shows the error. */
  async #try(change: () => Promise<unknown>): Promise<void> {
    this.#page.requestUpdate()
    try {
      await change()
      this.#answer = await this.#api.read<ViewsAnswer>('/api/views')
      this.#problem = ''
    } catch (error) {
      this.#problem = this.#api.words(error)
    }
    this.#page.requestUpdate()
  }

  #save(name: string, shared: boolean): Promise<void> {
    const spec = { name, page: this.#options.view, query: this.#options.query() }
    return this.#try(() => this.#api.act('POST', '/api/views', { spec, shared }))
  }

  #change({ id, over, ...change }: Change): Promise<void> {
    const body = over === true ? { query: this.#options.query() } : change
    return this.#try(() => this.#api.act('PATCH', `/api/views/${id}`, body))
  }

  async #remove({ id, name = '' }: Change): Promise<void> {
    const isSure = await this.#page.confirm({
      heading: this.#page.t('view.deleteHeading', { name }),
      action: this.#page.t('view.deleteAction'),
      tone: 'bad'
    })
    if (isSure) await this.#try(() => this.#api.act('DELETE', `/api/views/${id}`))
  }

  #item(view: View): ViewItem {
    const { t } = this.#page
    const page = t(`view.page.${view.page}`)
    const href = this.#options.href(view.page, viewParams(view.query))
    if (view.origin !== 'saved') return { name: view.name, href, note: page }
    const { id, name, shared, ownerRef } = view
    const owner = ownerRef === this.#answer.viewerRef ? null : ownerRef
    const notes = [page, t(shared ? 'view.isShared' : 'view.isPrivate'), owner]
    const note = notes.filter((text) => text !== null).join(' · ')
    const isHere = view.page === this.#options.view
    // As the API decides: one's own views, or all of them for admins.
    const mayChange = ownerRef !== null && owner === null
    const item = { name, href, note, shared, isOwned: ownerRef !== null, isHere }
    return mayChange || this.#options.isAdmin() ? { ...item, id } : item
  }

  render(): TemplateResult {
    const { t } = this.#page
    const { views, viewerRef } = this.#answer
    const items = (origin: View['origin']) =>
      viewsBy(views, origin, this.#options.view).map((view) => this.#item(view))
    const groups = [
      { heading: t('view.configured'), views: items('configured'), open: true },
      { heading: t('view.derived'), views: items('derived') }
    ]
    return html`<keelson-views
        ?open=${this.#isOpen}
        .views=${items('saved')}
        .groups=${groups}
        ?nameless=${viewerRef === null && views.length > 0}
        problem=${this.#problem}
        @keelson-close=${() => this.#close()}
        @keelson-view-save=${({ detail }: CustomEvent<{ name: string; shared: boolean }>) =>
          void this.#save(detail.name, detail.shared)}
        @keelson-view-change=${({ detail }: CustomEvent<Change>) => void this.#change(detail)}
        @keelson-view-delete=${({ detail }: CustomEvent<Change>) => void this.#remove(detail)}
      ></keelson-views>`
  }
}
