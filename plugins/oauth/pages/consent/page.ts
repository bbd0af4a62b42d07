// The consent page: who asks for what, where the answer goes, and the answer.

import {
  apiOf,
  controls,
  define,
  definePage,
  errorText,
  icon,
  KeelsonError,
  KeelsonPage,
  Load,
  plainName,
  type RequestError
} from '@keelson/ui'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import type { ConsentView } from '../../consent/consent-schema.ts'
import {
  approvalOf,
  mayFollow,
  type Obstacle,
  obstacleOf,
  staysHere,
  untickedOf
} from './answer.ts'
import { consentForm } from './form.ts'
import { consentStyles } from './styles.ts'
import { registerConsentTexts } from './texts.ts'

/** So long after the window came up nothing is answered: a click may have been meant for what was there before. */
const CALM_MS = 500

class ConsentPage extends KeelsonPage {
  static override readonly styles = [controls, consentStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _without: { state: true },
    _offline: { state: true },
    _context: { state: true },
    _isSending: { state: true },
    _problem: { state: true },
    _obstacle: { state: true },
    _goal: { state: true },
    _isCalm: { state: true }
  }
  /** Scopes that were taken out. Undefined: as the page proposes. */
  declare _without: ReadonlySet<string> | undefined
  /** Undefined: as the client asked. */
  declare _offline: boolean | undefined
  declare _context: string
  declare _isSending: boolean
  declare _problem: string
  declare _obstacle: Obstacle | undefined
  /** Where the answer leads, once there is one. */
  declare _goal: string | undefined
  /** The window has been up for a moment: clicks count. */
  declare _isCalm: boolean
  #calming: ReturnType<typeof setTimeout> | undefined
  readonly #api = apiOf(this, { words: (error) => this.#words(error) })
  readonly #asked = new Load(this, {
    quiet: true,
    args: () => (this.#requestId === '' ? null : ([this.#requestId, this._context] as const)),
    run: ([requestId, context], signal) => {
      const query = context === '' ? '' : `?contextId=${encodeURIComponent(context)}`
      return this.#api.read<ConsentView>(`${path(requestId)}${query}`, signal)
    }
  })

  constructor() {
    super()
    this._without = undefined
    this._offline = undefined
    this._context = ''
    this._isSending = false
    this._problem = ''
    this._obstacle = undefined
    this._goal = undefined
    this._isCalm = false
  }

  protected override get windowTitle(): string {
    return this.t('consent.title')
  }

  get #requestId(): string {
    return this.params.get('request_id') ?? ''
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#keepCalm()
    addEventListener('focus', this.#keepCalm)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('focus', this.#keepCalm)
    clearTimeout(this.#calming)
  }

  readonly #keepCalm = (): void => {
    this._isCalm = false
    clearTimeout(this.#calming)
    this.#calming = setTimeout(() => {
      this._isCalm = true
    }, CALM_MS)
  }

  async #answer(body: object | undefined): Promise<void> {
    if (body === undefined || this._isSending || !this._isCalm) return
    this._isSending = true
    this._problem = ''
    try {
      const { redirectTo } = await this.#api.act<{ redirectTo: string }>(
        'POST',
        path(this.#requestId),
        body
      )
      this.#leave(redirectTo)
    } catch (error) {
      await this.#onRefused(error)
    } finally {
      this._isSending = false
    }
  }

  #leave(address: string): void {
    if (!mayFollow(address, location.href)) {
      this._problem = this.t('consent.refusedTarget')
      return
    }
    this._goal = address
    // Back then leads to the application and not to a request that is over.
    location.replace(address)
  }

  /** The text of the page for the code of the refusal, else the message of the server. */
  #words(error: unknown): string {
    const key = `consent.refused.${(error as Partial<RequestError> | null)?.code}`
    const words = this.t(key)
    return words === key ? errorText(error, this.t) : words
  }

  /** An answer that was refused: by what the request is now, or in the server's words. */
  async #onRefused(error: unknown): Promise<void> {
    const reason = this.#api.words(error)
    this._obstacle = obstacleOf(error)
    if (this._obstacle !== undefined) return
    const isOver = await this.#api.read(path(this.#requestId)).then(
      () => false,
      (later: unknown) => obstacleOf(later) === 'over'
    )
    if (isOver) this._obstacle = 'over'
    else this._problem = this.t('consent.failed', { reason })
  }

  /** The host's colour, as far as it is set. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const color = this.#asked.value?.issuer.accentColor
    if (color !== undefined) this.style.setProperty('--keelson-accent', color)
  }

  protected override content(): TemplateResult {
    return html`<div class="place"><div class="card sheet">${this.#sheet()}</div></div>`
  }

  #sheet(): TemplateResult {
    if (this._goal !== undefined) return this.#leaving(this._goal)
    if (this.#requestId === '') return this.#notice('over')
    const { value, error, status } = this.#asked
    const hasFailed = status === 'error'
    const obstacle = this._obstacle ?? (hasFailed ? obstacleOf(error) : undefined)
    if (obstacle !== undefined) return this.#notice(obstacle)
    if (value !== undefined) return this.#form(value)
    if (hasFailed) return this.#trouble(error)
    return html`<div class="wait" aria-hidden="true">
        <span class="bone"></span><span class="bone"></span><span class="bone"></span>
      </div>
      <h1 class="visually-hidden" tabindex="-1">${this.t('consent.title')}</h1>`
  }

  #form(answer: ConsentView): TemplateResult {
    const name = plainName(answer.client.name)
    const taken = this._without ?? untickedOf(answer.scopes)
    const { logoUrl } = answer.client
    const choice = { without: taken, offline: this._offline, context: this._context }
    const approval = approvalOf(answer, choice)
    return consentForm({
      answer,
      name,
      logo: logoUrl === undefined ? undefined : `${this.apiBase}${path(this.#requestId)}/logo`,
      ...choice,
      problem: this._problem,
      isSending: this._isSending,
      isCalm: this._isCalm,
      canAllow: approval !== undefined,
      format: this.format,
      t: this.t,
      onScope: (id, isOn) => {
        const without = new Set(taken)
        if (isOn) without.delete(id)
        else without.add(id)
        this._without = without
      },
      onOffline: (isOn) => {
        this._offline = isOn
      },
      onContext: (id) => {
        this._context = id
      },
      onAllow: () => void this.#answer(approval),
      onDeny: () => void this.#answer({ approve: false })
    })
  }

  #trouble(error: unknown): TemplateResult {
    return html`<h1 class="visually-hidden" tabindex="-1">${this.t('consent.title')}</h1>
      <keelson-error .error=${error} text=${this.#words(error)} retry @keelson-retry=${() => this.#asked.reload()}></keelson-error>`
  }

  #notice(obstacle: Obstacle): TemplateResult {
    const signIn = obstacle === 'signedOut' ? this.#signIn() : undefined
    return html`<div class="notice">
      <h1 tabindex="-1">${this.t(`consent.${obstacle}`)}</h1>
      <p class="quiet">${this.t(`consent.${obstacle}Text`)}</p>
      ${
        signIn === undefined
          ? nothing
          : html`<a class="btn primary" href=${signIn}>${this.t('consent.signIn')}</a>`
      }
    </div>`
  }

  /** The host's sign-in, which leads back here, in the languages that the application asked for. */
  #signIn(): string | undefined {
    const address = this.host?.signIn
    const uiLocales = this.params.get('ui_locales')
    if (address === undefined || uiLocales === null) return address
    const localized = new URL(address, location.href)
    localized.searchParams.set('ui_locales', uiLocales)
    return localized.href
  }

  #leaving(goal: string): TemplateResult {
    const isApp = staysHere(goal, location.href)
    return html`<div class="notice" role="status">
      <h1 tabindex="-1">${this.t('consent.leaving')}</h1>
      <p class="quiet">${this.t(isApp ? 'consent.leavingApp' : 'consent.leavingText')}</p>
      <a class="btn" href=${goal} rel="noreferrer">
        ${this.t(isApp ? 'consent.openApp' : 'consent.continue')}${icon('external', 14)}
      </a>
    </div>`
  }
}

const path = (requestId: string): string => `/consent/${encodeURIComponent(requestId)}`

registerConsentTexts()
define(KeelsonError)
definePage('oauth-consent', ConsentPage)
