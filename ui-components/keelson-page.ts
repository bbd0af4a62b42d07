// The base class of pages: the contract with the shell or the embedding document, and the address as state.
import { html, nothing, type PropertyValues } from 'lit'
import { failedLoads, renewLoads } from './controllers/load.ts'
import { mayLeave } from './controllers/unsaved.ts'
import type { ElementClass } from './define.ts'
import { KeelsonElement } from './elements/element.ts'
import { KeelsonError } from './elements/error/element.ts'
import { RequestError } from './elements/error/message.ts'
import { createEmbedHost } from './embed-host.ts'
import { confirm, toast } from './feedback.ts'
import { loadTranslations } from './locales/catalog.ts'
import {
  type ConfirmOptions,
  PAGE_CONTRACT,
  PageErrorEvent,
  type PageHost,
  type PageRoute,
  SignInEvent,
  TitleEvent,
  type ToastOptions
} from './page.ts'
import { addedParams, type ParamChanges } from './param-changes.ts'
import { plainLink } from './plain-link.ts'

/** Options of `KeelsonPage.json`. */
export interface JsonInit extends RequestInit {
  /** Sent as JSON. */
  readonly json?: unknown
}

/**
 * Base class of all pages, and the only one: what pages share is composed from controllers.
 * Override `content()`, not `render()`; override `windowTitle` for the title of the window.
 */
export class KeelsonPage extends KeelsonElement {
  static readonly uses: readonly ElementClass[] = [KeelsonError]
  static override readonly properties: Record<string, object> = {
    host: { attribute: false },
    route: { attribute: false },
    settings: { attribute: false },
    apiBase: { attribute: 'api-base' },
    apiPrefix: { attribute: 'api-prefix' },
    locale: {},
    colorScheme: { attribute: 'color-scheme' },
    signIn: { attribute: 'sign-in' },
    getToken: { attribute: false },
    _ownRoute: { state: true }
  }
  /** Set by the shell; undefined in a page embedded by attributes. */
  declare host: PageHost | undefined
  /** Set by the shell; undefined in an embedded page, which keeps its own address. */
  declare route: PageRoute | undefined
  /** The public part of the plugin's config, set by the shell. */
  declare settings: unknown
  /** The plugin's mount, for links to its other pages and for the API of an embedded page. */
  declare apiBase: string
  /** The prefix of the platform that an embedded page calls, when it has one: `/platform`. */
  declare apiPrefix: string
  /** A language tag; default: that of the nearest `lang`. */
  declare locale: string
  /** `light` or `dark`; default: that of the document. */
  declare colorScheme: string
  /** Where an embedded page sends people who are signed out; default: no link is shown. */
  declare signIn: string
  /**
   * Gives the access token of each call of an embedded page, which then sends no cookies: for sites whose browsers
   * keep cookies of other sites away.
   */
  declare getToken: (() => string | Promise<string>) | undefined
  /** Parameters of the address that the navigation takes along to other pages of the plugin. */
  kept: readonly string[] = []
  declare _ownRoute: PageRoute
  #gone = new AbortController()
  #ownHost: PageHost | undefined
  #titleSent = ''

  constructor() {
    super()
    this.host = undefined
    this.route = undefined
    this.settings = undefined
    this.apiBase = ''
    this.apiPrefix = ''
    this.locale = ''
    this.colorScheme = ''
    this.signIn = ''
    this.getToken = undefined
    this._ownRoute = { path: location.pathname, sub: '', params: new URLSearchParams(), hash: '' }
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.#gone.signal.aborted) this.#gone = new AbortController()
    this.#ownHost = undefined
    this.#titleSent = ''
    this.addEventListener('click', this.#onClick)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#gone.abort()
    this.removeEventListener('click', this.#onClick)
  }

  /** A page is drawn in its language from the first time on: its texts are there by then. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await loadTranslations(this.locale || this.format.locale)
    super.scheduleUpdate()
  }

  /** The host in force: the one that was set, or one made from the attributes. */
  get page(): PageHost {
    if (this.host !== undefined) return this.host
    this.#ownHost ??= createEmbedHost({
      element: this,
      apiBase: this.apiBase,
      apiPrefix: this.apiPrefix,
      language: this.format.locale,
      timeZone: this.format.timeZone,
      signal: this.#gone.signal,
      getToken: this.getToken,
      ...(this.signIn !== '' && { signIn: this.signIn }),
      show: (url) => {
        const { searchParams, hash } = url
        this._ownRoute = { ...this._ownRoute, params: searchParams, hash }
      }
    })
    return this.#ownHost
  }

  get #route(): PageRoute {
    return this.route ?? this._ownRoute
  }

  /** A copy of the parameters of the address. */
  get params(): URLSearchParams {
    return new URLSearchParams(this.#route.params)
  }

  /** What comes after the page's own path: `''` or `/abc`. */
  get sub(): string {
    return this.#route.sub
  }

  /** This page's address with changed parameters: for real links. */
  address(changes: ParamChanges = {}): string {
    const params = this.params
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === '') params.delete(name)
      else params.set(name, value)
    }
    const query = params.toString()
    return `${this.#route.path}${query === '' ? '' : `?${query}`}`
  }

  /**
   * The address of a page that a manifest declares with `at`, of any plugin, for real links:
   * `linkTo('/admin/mailer/sends', { status: 'unknown' })`. It has the prefix of the platform, and its origin where
   * that is another one.
   */
  readonly linkTo = (address: string, params: ParamChanges = {}): string => {
    const url = this.page.at(address)
    for (const [name, value] of Object.entries(addedParams(params)))
      url.searchParams.set(name, value)
    return url.origin === location.origin ? `${url.pathname}${url.search}` : url.href
  }

  /** Goes to this page with changed parameters. */
  go(changes: ParamChanges, options: { readonly replace?: boolean } = {}): void {
    this.page.navigate(this.address(changes), options)
  }

  /**
   * Calls the plugin's API and reads JSON.
   *
   * @throws RequestError when the answer is not 2xx.
   */
  async json<T>(path: string | URL, init: JsonInit = {}): Promise<T> {
    return (await this.answer(path, init)).value as T
  }

  /**
   * Calls the plugin's API and reads JSON, for what is in the headers of the answer besides.
   *
   * @throws RequestError when the answer is not 2xx, Error with a sentence when it is not JSON, as at a wrong address.
   */
  async answer(
    path: string | URL,
    { json, ...init }: JsonInit = {}
  ): Promise<{ readonly response: Response; readonly value: unknown }> {
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const headers = new Headers(init.headers)
    headers.set('accept', 'application/json')
    if (json !== undefined) headers.set('content-type', 'application/json')
    const response = await this.page.fetch(path, { ...init, ...body, headers })
    const text = await response.text()
    const value = readJson(text)
    const isForeign = value === undefined && text !== '' && (response.ok || response.status === 404)
    if (isForeign) throw new Error(this.t('error.notJson', { address: response.url }))
    if (response.ok) return { response, value }
    const refused = new RequestError(response.status, value)
    if (response.status === 401) refused.signIn = this.page.signIn
    throw refused
  }

  /** What the window is called, sent to the shell when it changes. Empty: the title of the page alone. */
  protected get windowTitle(): string {
    return ''
  }

  /** Sets the title of the window. Pages override `windowTitle` instead. */
  setTitle(title: string): void {
    this.dispatchEvent(new TitleEvent(title))
  }

  /** Gives up: the shell removes the page, shows the error and offers to try again. */
  fail(error: unknown): void {
    this.dispatchEvent(new PageErrorEvent(error))
  }

  /** Shows a short message. */
  toast(options: ToastOptions): void {
    toast(this, options)
  }

  /** Asks a question; Escape and the close button mean no. */
  confirm(options: ConfirmOptions): Promise<boolean> {
    return confirm(this, options)
  }

  /** Moves the focus to the heading. */
  focusHeading(): void {
    const header = this.renderRoot.querySelector<HTMLElement & { focusHeading?(): void }>(
      'keelson-page-header'
    )
    if (header?.focusHeading !== undefined) header.focusHeading()
    else this.renderRoot.querySelector<HTMLElement>('h1')?.focus()
  }

  /** Whether the shell may show another address: see `PageElement`. */
  mayLeave(to: URL, isByPage: boolean): true | Promise<boolean> {
    return mayLeave(this, to, isByPage)
  }

  /** What the page shows. */
  protected content(): unknown {
    return html``
  }

  /** One line for all reads that failed, however many they are: after the content, so that nothing moves. */
  #banner(): unknown {
    const failed = failedLoads(this)
    if (failed.length === 0) return nothing
    const retry = () => {
      for (const load of failed) void load.retry()
    }
    return html`<keelson-error banner .error=${failed[0]?.fault} retry @keelson-retry=${retry}></keelson-error>`
  }

  override render(): unknown {
    const theirs = this.page.version
    if (Math.floor(theirs) === PAGE_CONTRACT) return html`${this.content()}${this.#banner()}`
    const versions = { theirs: String(theirs), ours: String(PAGE_CONTRACT) }
    return html`<div role="alert">
      <h1>${this.t('page.version', versions)}</h1>
      <p>${this.t('page.versionHint')}</p>
    </div>`
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (['apiBase', 'apiPrefix', 'signIn', 'getToken'].some((name) => changed.has(name))) {
      this.#ownHost = undefined
      // What is shown was read at another address, or for another person.
      if (this.hasUpdated && this.host === undefined) renewLoads(this)
    }
    this.#sendTitle()
    if (
      failedLoads(this).some(
        ({ fault }) => (fault as Partial<RequestError> | null)?.signIn !== undefined
      )
    ) {
      this.dispatchEvent(new SignInEvent())
    }
    if (!changed.has('locale') || this.locale === '') return
    this.lang = this.locale
    this.#ownHost = undefined
    this.refreshLocale()
  }

  #sendTitle(): void {
    const { windowTitle } = this
    if (windowTitle === this.#titleSent) return
    this.#titleSent = windowTitle
    this.setTitle(windowTitle)
  }

  /** An error while drawing becomes an event, so that nothing beside this page breaks. */
  protected override performUpdate(): void {
    try {
      super.performUpdate()
    } catch (error) {
      if (this.dispatchEvent(new PageErrorEvent(error))) throw error
    }
  }

  /** Without a host, links to another state of this page stay inside it. */
  readonly #onClick = (event: MouseEvent): void => {
    if (this.host !== undefined) return
    const href = plainLink(event)
    if (href === undefined) return
    event.preventDefault()
    this.page.navigate(href)
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
