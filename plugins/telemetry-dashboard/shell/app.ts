// Runs the standalone shell in the browser: one bar of pages, one page at a time, no reloads.
import {
  createFormat,
  define,
  KeelsonDialog,
  KeelsonElement,
  NavigateEvent,
  PAGE_CONTRACT,
  type PageElement,
  PageErrorEvent,
  type PageHost,
  plainLink,
  Shortcuts,
  shortcutsInForce,
  TitleEvent,
  translate
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ShellPage } from './document.ts'
import { type Place, placeOf } from './places.ts'

interface Config {
  readonly mountPath: string
  readonly apiBase: string
  readonly title: string
  readonly pages: readonly ShellPage[]
}

type DrawnPage = PageElement & { readonly updateComplete?: Promise<unknown> }

function readConfig(): Config {
  return JSON.parse(document.querySelector('#dashboard-config')?.textContent ?? '') as Config
}

class DashboardShell extends KeelsonElement {
  static readonly tag = 'dashboard-shell'
  static readonly uses = [KeelsonDialog]
  static override readonly properties = {
    _place: { state: true },
    _fault: { state: true },
    _keys: { state: true }
  }
  declare _place: Place | undefined
  declare _fault: string
  /** Whether the list of keys is open. */
  declare _keys: boolean
  readonly #config = readConfig()
  #element: PageElement | undefined
  #gone = new AbortController()

  constructor() {
    super()
    this._place = undefined
    this._fault = ''
    this._keys = false
    this.addEventListener('click', (event) => this.#onClick(event))
    this.addEventListener(TitleEvent.type, (event) => this.#onTitle(event))
    this.addEventListener(PageErrorEvent.type, (event) => this.#onError(event))
    this.addEventListener(NavigateEvent.type, (event) => this.#onNavigate(event))
    new Shortcuts(this, () => [
      { keys: '?', label: this.t('shell.shortcut.help'), run: () => this.#showKeys() }
    ])
  }

  /** In the document itself: the style sheet of the shell is a file. */
  protected override createRenderRoot(): HTMLElement {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('popstate', this.#onAddress)
    this.#onAddress()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('popstate', this.#onAddress)
  }

  #showKeys(): void {
    this._keys = true
  }

  #onClick(event: MouseEvent): void {
    const href = plainLink(event)
    const { mountPath } = this.#config
    if (href === undefined || !`${href}/`.startsWith(`${mountPath}/`)) return
    event.preventDefault()
    this.#go(href, false)
  }

  #onNavigate(event: Event): void {
    event.preventDefault()
    const { href, replace } = (event as NavigateEvent).detail
    this.#go(href, replace)
  }

  #onTitle(event: Event): void {
    document.title = `${(event as TitleEvent).detail.title} · ${this.#config.title}`
  }

  #onError(event: Event): void {
    const { error } = (event as PageErrorEvent).detail
    event.preventDefault()
    this.#leave()
    this._fault = error instanceof Error ? error.message : String(error)
  }

  #go(href: string, isReplacing: boolean): void {
    const url = new URL(href, location.href)
    const { mountPath } = this.#config
    if (url.origin !== location.origin || !`${url.pathname}/`.startsWith(`${mountPath}/`)) {
      location.assign(url)
      return
    }
    const before = this._place?.page.id
    if (isReplacing) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    this.#onAddress()
    if (this._place?.page.id !== before) scrollTo(0, 0)
  }

  readonly #onAddress = (): void => {
    const { mountPath, pages } = this.#config
    const before = this._place?.page.id
    this._place = placeOf(location.pathname, mountPath, pages)
    if (this._place?.page.id !== before) void this.#show(before !== undefined)
    else this.#route()
  }

  #leave(): void {
    this.#gone.abort()
    this.#gone = new AbortController()
    this.#element = undefined
  }

  /** Someone who came from another page is put at the heading: what they pressed is gone. */
  async #show(movesFocus: boolean): Promise<void> {
    const place = this._place
    if (place === undefined) return
    this.#leave()
    this._fault = ''
    try {
      await import(new URL(place.page.module, document.baseURI).href)
    } catch (error) {
      this._fault = this.t('shell.brokenPage', { message: (error as Error).message })
      return
    }
    if (this._place?.page.id !== place.page.id) return
    const element: DrawnPage = document.createElement(place.page.element)
    this.#element = element
    element.setAttribute('api-base', this.#config.mountPath)
    element.host = this.#host()
    this.#route()
    this.requestUpdate()
    await this.updateComplete
    await element.updateComplete
    if (movesFocus && this.#element === element) element.focusHeading?.()
  }

  #route(): void {
    const place = this._place
    if (place === undefined || this.#element === undefined) return
    this.#element.route = {
      path: place.path,
      sub: place.sub,
      params: new URLSearchParams(location.search),
      hash: location.hash
    }
  }

  #host(): PageHost {
    const mount = this.#config.apiBase.replace(/\/api$/, '')
    const { signal } = this.#gone
    const language = this.format.locale
    return {
      version: PAGE_CONTRACT,
      signal,
      format: createFormat(language),
      t: (key, values) => translate(language, key, values),
      // The API decides: the shell does not know who is looking.
      can: () => true,
      navigate: (href, { replace = false } = {}) => this.#go(href, replace),
      fetch: (path, init = {}) =>
        fetch(`${mount}${path}`, { credentials: 'include', ...init, signal: init.signal ?? signal })
    }
  }

  override render(): TemplateResult {
    return html`<nav class="bar" aria-label=${this.t('shell.navigation')}>
        <strong>${this.#config.title}</strong>
        ${this.#config.pages.filter(({ isListed }) => isListed).map((page) => this.#link(page))}
      </nav>
      <main>
        ${this._fault === '' ? nothing : html`<p role="alert">${this._fault}</p>`}${this.#element}
      </main>
      <keelson-dialog
        ?open=${this._keys}
        heading=${this.t('shell.shortcuts')}
        @keelson-close=${() => {
          this._keys = false
        }}
      >
        <dl class="keys">
          ${shortcutsInForce().map(({ keys, label }) => html`<dt>${keys}</dt><dd>${label}</dd>`)}
        </dl>
      </keelson-dialog>`
  }

  #link(page: ShellPage): TemplateResult {
    const isCurrent = page.id === this._place?.page.id
    return html`<a
      href="${this.#config.mountPath}/${page.id}"
      aria-current=${isCurrent ? 'page' : nothing}
    >${page.title}</a>`
  }
}

define(DashboardShell)
document.body.append(document.createElement(DashboardShell.tag))
