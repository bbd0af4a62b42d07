// Shows one page inside an error boundary: an error in the page leaves the shell working.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { KeelsonElement } from '../elements/element.ts'
import { KeelsonEmpty } from '../elements/empty/element.ts'
import { KeelsonError } from '../elements/error/element.ts'
import { KeelsonPageHeader } from '../elements/page-header/element.ts'
import { toast } from '../feedback.ts'
import type { PageElement, PageHost, PageRoute } from '../page.ts'
import { readShellConfig } from './config.ts'
import { focusLink } from './focus-link.ts'
import { frameStyles } from './frame-styles.ts'
import { isSamePage, type NavPage } from './nav.ts'
import type { PageErrorReport } from './page-error-report.ts'

export type FrameFault =
  | { readonly kind: 'module'; readonly error: unknown }
  | { readonly kind: 'element' }
  | { readonly kind: 'page'; readonly error: unknown }

const ELEMENT_MISSING = { kind: 'element' } as const
const modules = new Map<string, Promise<unknown>>()

/** Imports a page's module once; after a failure it is imported again under a new address. */
function loadModule(address: string): Promise<unknown> {
  const known = modules.get(address)
  if (known !== undefined) return known
  const url = failures.has(address) ? `${address}?again=${failures.get(address)}` : address
  const loading = import(url).catch((error: unknown) => {
    modules.delete(address)
    failures.set(address, (failures.get(address) ?? 0) + 1)
    throw error
  })
  modules.set(address, loading)
  return loading
}
const failures = new Map<string, number>()

/**
 * The part of the shell that shows the page.
 *
 * @fires keelson-reload - Try again was pressed: the shell reads the navigation again, then calls `retry`.
 */
export class KeelsonFrame extends KeelsonElement {
  static readonly tag = 'keelson-frame'
  static readonly uses = [KeelsonError, KeelsonEmpty, KeelsonPageHeader]
  static override readonly styles = frameStyles
  static override readonly properties = {
    page: { attribute: false },
    route: { attribute: false },
    settings: { attribute: false },
    makeHost: { attribute: false },
    _fault: { state: true },
    _isLoading: { state: true }
  }
  declare page: NavPage | undefined
  declare route: PageRoute | undefined
  declare settings: unknown
  declare makeHost: ((page: NavPage, signal: AbortSignal) => PageHost) | undefined
  declare _fault: FrameFault | undefined
  declare _isLoading: boolean
  /** The path that Back came from: the focus returns to its link. */
  followed: string | undefined
  #element: PageElement | undefined
  #gone = new AbortController()

  constructor() {
    super()
    this._fault = undefined
    this._isLoading = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('error', this.#onError)
    addEventListener('unhandledrejection', this.#onError)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('error', this.#onError)
    removeEventListener('unhandledrejection', this.#onError)
    this.#clear()
  }

  /** Loads the page again, module and all. */
  retry(): void {
    void this.#show(false)
  }

  /** Whether the page may be left: see `PageElement`. */
  mayLeave(to: URL, isByPage: boolean): true | Promise<boolean> {
    return this.#element?.mayLeave?.(to, isByPage) ?? true
  }

  /** Moves the focus to the page's heading. */
  focusHeading(): void {
    const element = this.#element
    if (element?.focusHeading !== undefined) {
      element.focusHeading()
      return
    }
    const scope = this._fault === undefined ? (element?.shadowRoot ?? element) : this.renderRoot
    const heading = scope?.querySelector<HTMLElement>('h1, keelson-page-header')
    if (heading instanceof KeelsonPageHeader) heading.focusHeading()
    else if (heading) {
      heading.tabIndex = -1
      heading.focus()
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('page') && !isSamePage(changed.get('page'), this.page)) {
      void this.#show(changed.get('page') !== undefined)
    } else if (changed.has('route') && this.#element !== undefined && this.route !== undefined) {
      this.#element.route = this.route
      this.#focusFollowed()
    }
  }

  /** After Back to a list, the focus is on its row. */
  #focusFollowed(): void {
    const { followed } = this
    if (followed && followed !== location.pathname && this.#element)
      focusLink(followed, this.#element)
  }

  #clear(): void {
    this.#gone.abort()
    this.#gone = new AbortController()
    this.#element?.remove()
    this.#element = undefined
  }

  async #show(movesFocus: boolean): Promise<void> {
    this.#clear()
    this._fault = undefined
    const { page } = this
    const { signal } = this.#gone
    if (page === undefined) return
    this._isLoading = true
    const fault = await loadModule(page.module).then(
      () => (customElements.get(page.element) === undefined ? ELEMENT_MISSING : undefined),
      (error: unknown) => ({ kind: 'module', error }) as const
    )
    // Another page was opened meanwhile.
    if (signal.aborted) return
    this._isLoading = false
    if (fault === undefined) await this.#mount(page, signal)
    else this.#break(fault)
    if (!movesFocus || signal.aborted) return
    await this.updateComplete
    this.focusHeading()
    this.#focusFollowed()
  }

  /** Creates the element, sets its properties, and waits for its first update. */
  async #mount(page: NavPage, signal: AbortSignal): Promise<void> {
    const thrown: unknown[] = []
    // The browser has logged these already.
    const uncaught: unknown[] = []
    const note = (event: ErrorEvent): void => void uncaught.push(event.error)
    addEventListener('error', note)
    try {
      const element = document.createElement(page.element) as PageElement & {
        updateComplete?: Promise<unknown>
      }
      this.#element = element
      element.setAttribute('api-base', page.mount)
      element.setAttribute('locale', this.format.locale)
      const host = this.makeHost?.(page, signal)
      if (host !== undefined) element.host = host
      if (this.route !== undefined) element.route = this.route
      element.settings = this.settings
      this.append(element)
      await element.updateComplete
    } catch (error) {
      thrown.push(error)
    } finally {
      removeEventListener('error', note)
    }
    if (signal.aborted) return
    if (thrown.length > 0) this.fail(thrown[0])
    else if (uncaught.length > 0) this.fail(uncaught[0], true)
  }

  /** Removes the page, shows and reports what happened, and logs the error with its stack. */
  fail(error: unknown, isLogged = false): void {
    this.#clear()
    this.#break({ kind: 'page', error }, isLogged)
  }

  #break(fault: FrameFault, isLogged = false): void {
    this._fault = fault
    this.#report(fault)
    if (isLogged) return
    const { plugin = '', id = '' } = this.page ?? {}
    const cause = fault.kind === 'element' ? [] : [fault.error]
    // biome-ignore lint/suspicious/noConsole: the developer of the page needs the stack
    console.error(`Keelson: page ${plugin}/${id} failed. ${this.#text(fault)}`, ...cause)
  }

  /** The server lists the pages that fail in /health/plugins. */
  #report(fault: FrameFault): void {
    const { plugin = '', id: page = '' } = this.page ?? {}
    const { pageErrors } = readShellConfig(document)
    const { kind } = fault
    const message = kind === 'element' ? '' : messageOf(fault.error)
    const report = { plugin, page, kind, message } satisfies PageErrorReport
    if (pageErrors) navigator.sendBeacon(pageErrors, JSON.stringify(report))
  }

  /** Uncaught errors: those whose stack names the page's module are errors of the page. */
  readonly #onError = (event: ErrorEvent | PromiseRejectionEvent): void => {
    const error: unknown = 'reason' in event ? event.reason : event.error
    const element = this.#element
    if (element === undefined || this.page === undefined) return
    if (!(error instanceof Error) || !error.stack?.includes(this.page.module)) return
    const fault = { kind: 'page', error } as const
    if (isBlank(element)) {
      this.fail(error, true)
      return
    }
    this.#report(fault)
    toast(this, { text: this.#text(fault), tone: 'bad' })
  }

  #text(fault: FrameFault): string {
    switch (fault.kind) {
      case 'module':
        return this.t('shell.brokenModule', { message: messageOf(fault.error) })
      case 'element':
        return this.t('shell.brokenElement', { element: this.page?.element ?? '' })
      case 'page':
        return this.t('shell.brokenPage', { message: messageOf(fault.error) })
    }
  }

  override render(): TemplateResult {
    return html`${this._fault === undefined ? nothing : this.#broken(this._fault)}
      ${this._isLoading ? this.#bones() : nothing}
      <slot></slot>`
  }

  #broken(fault: FrameFault): TemplateResult {
    const title = this.page?.title ?? ''
    return html`<keelson-page-header heading=${title}></keelson-page-header>
      <div class="main">
        <keelson-error
          heading=${this.t('shell.broken', { title })}
          text=${this.#text(fault)}
          retry
          @keelson-retry=${(event: Event) => {
            event.stopPropagation()
            this.send('keelson-reload', {})
          }}
        ></keelson-error>
      </div>`
  }

  #bones(): TemplateResult {
    return html`<keelson-page-header heading=${this.page?.title ?? ''}></keelson-page-header>
      <div class="main waiting" aria-hidden="true"><span class="bone"></span></div>`
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isBlank(element: HTMLElement): boolean {
  return (element.shadowRoot ?? element).childElementCount === 0
}
