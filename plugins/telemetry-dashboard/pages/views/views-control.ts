// The button that opens the views of the dashboard, and what the dialog asks for.
import { errorText, type KeelsonPage, loadViews, type ViewItem } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { View } from '../../views/view.ts'
import { type ViewsAnswer, viewParams, viewQuery, viewsBy } from './view.ts'

export interface ViewsHost {
  readonly element: KeelsonPage
  page(): string
  /** What the page shows when its address names no range. */
  usualRange(): string
  href(page: string, params: Record<string, string>): string
  act<T>(method: string, path: string, body?: unknown): Promise<T>
}

interface Change {
  readonly id: string
  readonly name?: string
  readonly shared?: boolean
  readonly over?: true
}

export class ViewsControl {
  readonly #host: ViewsHost
  #isOpen = false
  #answer: ViewsAnswer = { views: [], viewerRef: null }
  #problem = ''

  constructor(host: ViewsHost) {
    this.#host = host
  }

  readonly #t = (key: string, values?: Record<string, string | number>): string =>
    this.#host.element.t(key, values)

  async open(): Promise<void> {
    this.#isOpen = true
    await this.#try(loadViews)
  }

  #close(): void {
    this.#isOpen = false
    this.#host.element.requestUpdate()
  }

  /** Changes something and shows the list anew, or says why not. */
  async #try(change: () => Promise<unknown>): Promise<void> {
    this.#host.element.requestUpdate()
    try {
      await change()
      this.#answer = await this.#host.act<ViewsAnswer>('GET', '/api/views')
      this.#problem = ''
    } catch (error) {
      this.#problem = errorText(error, this.#t)
    }
    this.#host.element.requestUpdate()
  }

  get #query() {
    return viewQuery(this.#host.element.params, this.#host.usualRange())
  }

  #save(name: string, shared: boolean): Promise<void> {
    const spec = { name, page: this.#host.page(), query: this.#query }
    return this.#try(() => this.#host.act('POST', '/api/views', { spec, shared }))
  }

  #change({ id, over, ...change }: Change): Promise<void> {
    const body = over === true ? { query: this.#query } : change
    return this.#try(() => this.#host.act('PATCH', `/api/views/${id}`, body))
  }

  async #remove({ id, name = '' }: Change): Promise<void> {
    const isSure = await this.#host.element.confirm({
      heading: this.#t('view.deleteHeading', { name }),
      action: this.#t('view.deleteAction'),
      tone: 'bad'
    })
    if (isSure) await this.#try(() => this.#host.act('DELETE', `/api/views/${id}`))
  }

  #item(view: View): ViewItem {
    const t = this.#t
    const page = t(`view.page.${view.page}`)
    const href = this.#host.href(view.page, viewParams(view.query))
    if (view.origin !== 'saved') return { name: view.name, href, note: page }
    const { id, name, shared, ownerRef } = view
    const owner = ownerRef === this.#answer.viewerRef ? null : ownerRef
    const notes = [page, t(shared ? 'view.isShared' : 'view.isPrivate'), owner]
    const note = notes.filter((text) => text !== null).join(' · ')
    const isHere = view.page === this.#host.page()
    return { id, name, href, note, shared, isOwned: ownerRef !== null, isHere }
  }

  render(): TemplateResult {
    const { views, viewerRef } = this.#answer
    const items = (origin: View['origin']) =>
      viewsBy(views, origin, this.#host.page()).map((view) => this.#item(view))
    const groups = [
      { heading: this.#t('view.configured'), views: items('configured'), open: true },
      { heading: this.#t('view.derived'), views: items('derived') }
    ]
    return html`<button class="btn" @click=${() => void this.open()}>
        ${this.#t('view.views')}<kbd class="hide" aria-hidden="true">V</kbd>
      </button>
      <keelson-views
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
