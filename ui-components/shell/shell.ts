// The shell: navigation at the side, one page at a time, and what all pages share.
import { html, nothing, type TemplateResult } from 'lit'
import { Shortcuts } from '../controllers/shortcuts.ts'
import { controls } from '../controls.ts'
import { define } from '../define.ts'
import { KeelsonElement } from '../elements/element.ts'
import { KeelsonEmpty } from '../elements/empty/element.ts'
import { KeelsonError } from '../elements/error/element.ts'
import { KeelsonPageHeader } from '../elements/page-header/element.ts'
import { KeelsonToasts } from '../elements/toasts/element.ts'
import { toast } from '../feedback.ts'
import { icon } from '../icons.ts'
import {
  BusyEvent,
  ConfirmEvent,
  NavigateEvent,
  type PageElement,
  PageErrorEvent,
  type PageHost,
  type PageRoute,
  SignInEvent,
  TitleEvent,
  ToastEvent
} from '../page.ts'
import { plainLink } from '../plain-link.ts'
import { brandMark } from './brand.ts'
import { homeOf, readShellConfig, signInHref } from './config.ts'
import { KeelsonFrame } from './frame.ts'
import { createShellHost } from './host.ts'
import { shellIcon } from './icons.ts'
import { isSamePage, keptQuery, type Nav, type NavPage, pageAt } from './nav.ts'
import { KeelsonNavigation } from './navigation.ts'
import type { ShellConfig } from './shell-config.ts'
import { shellStyles } from './shell-styles.ts'
import type { KeelsonShortcutList } from './shortcut-list.ts'
import { Travel } from './travel.ts'

const NARROW = '(max-width: 760px)'
/** When someone comes back to the window after this many milliseconds, the navigation is read anew. */
const STALE = 60_000

/** The application around the pages. */
export class KeelsonShell extends KeelsonElement {
  static readonly tag = 'keelson-shell'
  static readonly uses = [
    KeelsonNavigation,
    KeelsonFrame,
    KeelsonToasts,
    KeelsonEmpty,
    KeelsonError,
    KeelsonPageHeader
  ]
  static override readonly styles = [controls, shellStyles]
  static override readonly properties = {
    _nav: { state: true },
    _navError: { state: true },
    _page: { state: true },
    _route: { state: true },
    _busy: { state: true },
    _isNarrow: { state: true }
  }
  declare _nav: Nav | undefined
  declare _navError: unknown
  declare _page: NavPage | undefined
  declare _route: PageRoute
  declare _busy: number
  declare _isNarrow: boolean
  readonly #config: ShellConfig = readShellConfig(document)
  readonly #narrow = matchMedia(NARROW)
  #readAt = 0
  /** The path that the server has refused, as long as it is shown. */
  #refused: string | undefined
  #isSignedOut = false
  #wasBusy = false
  readonly #travel = new Travel({
    mayLeave: (to, isByPage) => this.#frame?.mayLeave(to, isByPage) ?? true,
    onBusy: (isBusy) => this.#count(isBusy),
    onMoved: (isBack, followed) => this.#move(isBack, followed)
  })

  constructor() {
    super()
    this._busy = 0
    this._isNarrow = this.#narrow.matches
    this._route = { path: location.pathname, sub: '', params: new URLSearchParams(), hash: '' }
    if (this.#config.status === 403) this.#refused = location.pathname
    new Shortcuts(this, () => [
      { keys: '?', label: this.t('shell.shortcut.help'), run: () => void this.#showShortcuts() }
    ])
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('popstate', this.#travel.onPopState)
    document.addEventListener('click', this.#onClick)
    document.addEventListener('visibilitychange', this.#onVisible)
    this.#narrow.addEventListener('change', this.#onNarrow)
    this.addEventListener(NavigateEvent.type, this.#onNavigate)
    this.addEventListener(TitleEvent.type, this.#onTitle)
    this.addEventListener(BusyEvent.type, this.#onBusy)
    this.addEventListener(PageErrorEvent.type, this.#onPageError)
    this.addEventListener(ToastEvent.type, this.#onToast)
    this.addEventListener(ConfirmEvent.type, this.#onConfirm)
    this.addEventListener(SignInEvent.type, this.#onSignIn)
    void this.#readNav()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('popstate', this.#travel.onPopState)
    document.removeEventListener('click', this.#onClick)
    document.removeEventListener('visibilitychange', this.#onVisible)
    this.#narrow.removeEventListener('change', this.#onNarrow)
  }

  async #readNav(): Promise<void> {
    const { nav, navAddress = '/shell/nav' } = this.#config
    if (nav !== undefined) {
      this._nav = nav
      this.#place()
      return
    }
    try {
      const response = await fetch(navAddress, { headers: { accept: 'application/json' } })
      if (!response.ok) throw new Error(this.t('error.status', { status: response.status }))
      this._nav = (await response.json()) as Nav
      this._navError = undefined
      this.#readAt = Date.now()
    } catch (error) {
      // What is shown goes on; only a shell that has never had a navigation must say so.
      if (this._nav === undefined) this._navError = error
    }
    this.#place()
  }

  /** Makes what is shown follow the address. */
  #place(): void {
    if (this._nav === undefined) return
    const place =
      this.#refused === location.pathname
        ? undefined
        : pageAt(this._nav, location.pathname, homeOf(this.#config))
    const isHome = (path: string) => path === homeOf(this.#config)
    if (place !== undefined && isHome(location.pathname) && !isHome(place.page.path)) {
      history.replaceState(history.state, '', place.page.path)
    }
    const { pathname, search, hash } = location
    this._route = {
      path: pathname,
      sub: place?.sub ?? '',
      params: new URLSearchParams(search),
      hash
    }
    if (isSamePage(this._page, place?.page)) return
    this._busy = 0
    this._page = place?.page
    this.#setTitle('')
  }

  /** A detail may name its page, as `order.placed · Events` does: each part is said once. */
  #setTitle(detail: string): void {
    const parts = [
      ...detail.split(' · '),
      this._page?.title ?? '',
      this._nav?.title ?? this.#config.title
    ]
    document.title = [...new Set(parts)].filter((part) => part !== '').join(' · ')
  }

  /** Goes to an address: inside the shell when a page is there, by the browser otherwise. */
  #go(href: string, isReplacing: boolean, isByPage = false): void {
    const url = new URL(href, location.href)
    const isOurs =
      url.origin === location.origin &&
      this._nav !== undefined &&
      pageAt(this._nav, url.pathname, homeOf(this.#config)) !== undefined
    if (isOurs) this.#travel.go(url, { isReplacing, isByPage })
    else location.assign(url)
  }

  #move(isBack: boolean, followed: string | undefined): void {
    const before = this._page
    if (this.#frame) this.#frame.followed = followed
    if (!isBack) this.#menu(false)
    this.#place()
    if (!isBack && !isSamePage(before, this._page)) scrollTo(0, 0)
  }

  get #frame(): KeelsonFrame | null {
    return this.renderRoot.querySelector<KeelsonFrame>('keelson-frame')
  }

  readonly #onNarrow = (): void => {
    this.#menu(false)
    this._isNarrow = this.#narrow.matches
  }

  readonly #onVisible = (): void => {
    const isOld = Date.now() - this.#readAt > STALE
    if (document.visibilityState === 'visible' && isOld) void this.#readNav()
  }

  readonly #onClick = (event: MouseEvent): void => {
    const href = plainLink(event)
    if (href === undefined || this._nav === undefined) return
    const { pathname } = new URL(href, location.href)
    if (pageAt(this._nav, pathname, homeOf(this.#config)) === undefined) return
    event.preventDefault()
    this.#go(href, false)
  }

  readonly #onNavigate = (event: Event): void => {
    const { detail } = event as NavigateEvent
    event.preventDefault()
    this.#go(detail.href, detail.replace, true)
  }

  /** A page that names its title is there: what it keeps of the address is known. */
  readonly #onTitle = (event: Event): void => {
    this.#setTitle((event as TitleEvent).detail.title)
    this.requestUpdate()
  }

  readonly #onBusy = (event: Event): void => {
    this.#count((event as BusyEvent).detail.busy)
  }

  #count(isBusy: boolean): void {
    this._busy = Math.max(0, this._busy + (isBusy ? 1 : -1))
  }

  readonly #onPageError = (event: Event): void => {
    event.preventDefault()
    this.#frame?.fail((event as PageErrorEvent).detail.error)
  }

  readonly #onToast = (event: Event): void => {
    event.preventDefault()
    const toasts = this.renderRoot.querySelector<KeelsonToasts>('keelson-toasts')
    toasts?.show((event as ToastEvent).detail)
  }

  readonly #onConfirm = (event: Event): void => {
    event.preventDefault()
    const { answer, ...options } = (event as ConfirmEvent).detail
    void import('../feedback-alone.ts')
      .then(({ askIn }) => askIn(this.renderRoot as ShadowRoot, options))
      .then(answer)
  }

  /** A page that offers to sign in does so once its answer is drawn. */
  readonly #onSignedOut = (): void => void setTimeout(() => this.#offerSignIn(), 250)

  readonly #onSignIn = (): void => {
    this.#isSignedOut = true
  }

  #offerSignIn(): void {
    if (this.#isSignedOut || this._nav?.viewer === undefined) return
    this.#isSignedOut = true
    const href = signInHref(this.#config)
    toast(this, {
      text: this.t('shell.signedOutElsewhere'),
      tone: 'warn',
      duration: 0,
      ...(href !== undefined && {
        action: { label: this.t('shell.signIn'), run: () => location.assign(href) }
      })
    })
  }

  readonly #makeHost = (page: NavPage, signal: AbortSignal): PageHost =>
    createShellHost({
      page,
      nav: this._nav as Nav,
      language: this.format.locale,
      timeZone: this.format.timeZone,
      signal,
      navigate: (href, isReplacing) => this.#go(href, isReplacing, true),
      onSignedOut: this.#onSignedOut,
      signIn: () => signInHref(this.#config)
    })

  async #retry(event: Event): Promise<void> {
    event.stopPropagation()
    const before = this._page
    await this.#readNav()
    // A page whose module has a new address is loaded by that alone.
    if (isSamePage(before, this._page)) this.#frame?.retry()
  }

  /** The list is a separate file: most visits never open it. */
  async #showShortcuts(): Promise<void> {
    const { KeelsonShortcutList: list } = await import('./shortcut-list.ts')
    define(list)
    this.renderRoot.querySelector<KeelsonShortcutList>(list.tag)?.show()
  }

  #menu(isOpen: boolean): void {
    const dialog = this.renderRoot.querySelector<HTMLDialogElement>('dialog.side')
    if (dialog === null || dialog.open === isOpen) return
    if (isOpen) dialog.showModal()
    else dialog.close()
  }

  override render(): TemplateResult {
    return html`<button class="skip btn" @click=${() => this.renderRoot.querySelector('main')?.focus()}>${this.t('shell.skip')}</button>
      <div class=${this._busy > 0 ? 'busy on' : 'busy'} role="status">
        <span class="visually-hidden">${this.#loading()}</span>
      </div>
      ${this.#side()}
      <main tabindex="-1" @keelson-reload=${this.#retry}>
        <keelson-frame
          ?hidden=${this._page === undefined}
          .page=${this._page}
          .route=${this._route}
          .settings=${this._nav?.settings[this._page?.plugin ?? '']}
          .makeHost=${this.#makeHost}
        ></keelson-frame>
        ${this._page === undefined ? this.#noPage() : nothing}
      </main>
      <keelson-shortcut-list></keelson-shortcut-list>
      <keelson-toasts></keelson-toasts>`
  }

  /** What screen readers say of loading: that it goes on, then that it is done. */
  #loading(): string {
    if (this._busy > 0) this.#wasBusy = true
    if (!this.#wasBusy) return ''
    return this.t(this._busy > 0 ? 'shell.busy' : 'shell.loaded')
  }

  #side(): TemplateResult | typeof nothing {
    if (this.#config.view === 'alone') return nothing
    return this._isNarrow ? this.#narrowSide() : html`<div class="side">${this.#navigation()}</div>`
  }

  #navigation(): TemplateResult {
    return html`<keelson-navigation
      label=${this._nav?.title ?? this.#config.title}
      home=${homeOf(this.#config)}
      .nav=${this._nav}
      .current=${this._page}
      .kept=${keptQuery(this.renderRoot.querySelector<PageElement>('keelson-frame > *'), this._route)}
      @keelson-help=${() => void this.#showShortcuts()}
    ></keelson-navigation>`
  }

  #narrowSide(): TemplateResult {
    return html`<header class="bar">
        <button class="btn quiet icon" aria-label=${this.t('shell.menu')} @click=${() => this.#menu(true)}>
          ${shellIcon('menu')}
        </button>
        <a href=${homeOf(this.#config)}>${brandMark()}${this._nav?.title ?? this.#config.title}</a>
      </header>
      <dialog
        class="side"
        aria-label=${this.t('shell.menu')}
        @click=${(event: Event) => event.target === event.currentTarget && this.#menu(false)}
      >
        <div class="sheet">
          <button class="btn quiet icon" aria-label=${this.t('ui.close')} @click=${() => this.#menu(false)}>
            ${icon('close')}
          </button>
          ${this.#navigation()}
        </div>
      </dialog>`
  }

  #noPageKey(isStart: boolean): string {
    if (this.#config.status === 401) return 'shell.noSignIn'
    if (this.#refused !== undefined) return 'shell.refused'
    return isStart ? 'shell.noPages' : 'shell.notFound'
  }

  #noPage(): TemplateResult | typeof nothing {
    if (this._navError !== undefined) {
      return html`<div class="main"><h1 class="visually-hidden">${this.#config.title}</h1>
        <keelson-error
          heading=${this.t('shell.navFailed')}
          .error=${this._navError}
          retry
          @keelson-retry=${this.#retry}
        ></keelson-error>
      </div>`
    }
    if (this._nav === undefined) return nothing
    const isStart = location.pathname === homeOf(this.#config)
    const key = this.#noPageKey(isStart)
    const first = this._nav.sections[0]?.pages[0]
    return html`<keelson-page-header heading=${this.t(key)}></keelson-page-header>
      <keelson-empty text=${this.t(`${key}Hint`)}>
        ${first === undefined ? nothing : html`<a class="btn" href=${first.path}>${this.t('shell.start', { title: first.title })}</a>`}
      </keelson-empty>`
  }
}
