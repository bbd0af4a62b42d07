// The consent page: who asks for what, where the answer goes, and two buttons.
import {
  controls,
  define,
  definePage,
  errorText,
  KeelsonError,
  KeelsonPage,
  Load,
  RequestError
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import {
  type ConsentRequest,
  type ConsentScope,
  consentPath,
  decisionOf,
  personOf
} from './request.ts'
import { consentStyles } from './styles.ts'
import { registerConsentTexts } from './texts.ts'

class ConsentPage extends KeelsonPage {
  static override readonly styles = [controls, consentStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _contextId: { state: true },
    _problem: { state: true },
    _isSending: { state: true },
    _isDone: { state: true }
  }
  declare _contextId: string | null
  declare _problem: string
  declare _isSending: boolean
  declare _isDone: boolean
  readonly #request = new Load(this, {
    args: () => (this.#requestId === '' ? null : ([this.#requestId, this._contextId] as const)),
    run: ([id, contextId], signal) =>
      this.json<ConsentRequest>(consentPath(id, contextId), { signal })
  })

  constructor() {
    super()
    this._contextId = null
    this._problem = ''
    this._isSending = false
    this._isDone = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.setTitle(this.t('consent.title'))
  }

  get #requestId(): string {
    return this.params.get('request_id') ?? ''
  }

  async #decide(request: ConsentRequest, isAllowed: boolean): Promise<void> {
    const form = this.renderRoot.querySelector('form')
    const fields = new FormData(form ?? undefined)
    if (isAllowed && fields.getAll('scope').length === 0) {
      this._problem = this.t('consent.nothing')
      return
    }
    this._isSending = true
    this._problem = ''
    try {
      const path = consentPath(this.#requestId, null)
      const { redirectTo } = await this.json<{ redirectTo: string }>(path, {
        method: 'POST',
        json: decisionOf(request, isAllowed, fields)
      })
      this._isDone = true
      location.replace(redirectTo)
    } catch (error) {
      this._isSending = false
      this._problem = errorText(error, (key, values) => this.t(key, values))
    }
  }

  protected override content(): TemplateResult {
    if (this.#requestId === '') return this.#refusal(this.t('consent.missing'))
    const { value, error, isFirst } = this.#request
    if (value !== undefined) return this.#form(value)
    if (isFirst) return html`<div class="consent" aria-busy="true"></div>`
    const status = error instanceof RequestError ? error.status : 0
    if (status === 404 || status === 403) {
      return this.#refusal(this.t(status === 404 ? 'consent.gone' : 'consent.foreign'))
    }
    return html`<div class="consent">
      <keelson-error .error=${error} retry @keelson-retry=${() => void this.#request.reload()}>
      </keelson-error>
    </div>`
  }

  #refusal(text: string): TemplateResult {
    return html`<div class="consent card" role="alert">
      <h1 tabindex="-1">${this.t('consent.goneHeading')}</h1>
      <p>${text}</p>
    </div>`
  }

  #form(request: ConsentRequest): TemplateResult {
    const { client, redirect } = request
    return html`<form class="consent card" @submit=${(event: Event) => event.preventDefault()}>
      <h1 tabindex="-1">${this.t('consent.title')}</h1>
      <div class="stack">
        <p>${this.t('consent.wants', { client: client.name })}</p>
        ${this.#about(request)}
        <p class="quiet">${this.t('consent.as', { person: personOf(request.user) })}</p>
      </div>
      ${this.#scopes(request)}
      ${this.#contexts(request)}
      <div class="target">
        <span class="quiet">${this.t('consent.goesTo')}</span>
        <code>${redirect.host}</code>
        ${redirect.loopback ? html`<p class="warning">${this.t('consent.loopback')}</p>` : nothing}
      </div>
      ${this._problem === '' ? nothing : html`<p role="alert" class="problem">${this._problem}</p>`}
      <div class="decide">
        <button type="button" class="btn" ?disabled=${this._isSending}
          @click=${() => void this.#decide(request, false)}>${this.t('consent.deny')}</button>
        <button type="button" class="btn primary" ?disabled=${this._isSending}
          @click=${() => void this.#decide(request, true)}>${this.t('consent.allow')}</button>
      </div>
      <p class="dim" aria-live="polite">
        ${
          this._isDone
            ? this.t('consent.sending', { client: client.name })
            : this.t('consent.expires', { time: this.format.dateTime(request.expiresAt) })
        }
      </p>
    </form>`
  }

  #about({ client }: ConsentRequest): TemplateResult | typeof nothing {
    if (client.host !== undefined) {
      return html`<p class="quiet">${this.t('consent.described', { host: client.host })}</p>`
    }
    if (client.publisher === undefined) return nothing
    return html`<p class="quiet">${this.t('consent.by', { publisher: client.publisher })}</p>`
  }

  #scopes({ scopes, resources }: ConsentRequest): TemplateResult {
    return html`<fieldset>
      <legend>${this.t('consent.scopes')}</legend>
      ${scopes.map((scope) => this.#scope(scope))}
      <small class="dim">${this.t('consent.resources', { resources: resources.join(', ') })}</small>
    </fieldset>`
  }

  #scope({ id, label, description, sensitive, isNew }: ConsentScope): TemplateResult {
    return html`<label class="choice">
      <input type="checkbox" name="scope" value=${id} checked />
      <span>
        ${label}
        ${sensitive === true ? html`<span class="tag warn">${this.t('consent.sensitive')}</span>` : nothing}
        ${isNew ? html`<span class="tag info">${this.t('consent.new')}</span>` : nothing}
      </span>
      ${description === undefined ? nothing : html`<small>${description}</small>`}
    </label>`
  }

  #contexts({ contexts, contextsHasMore }: ConsentRequest): TemplateResult | typeof nothing {
    if (contexts === undefined) return nothing
    return html`<fieldset>
      <legend>${this.t('consent.context')}</legend>
      ${contexts.map(
        ({ id, label }) => html`<label class="choice">
          <input type="radio" name="context" value=${id} required
            @change=${() => {
              this._contextId = id
            }} />
          <span>${label}</span>
        </label>`
      )}
      ${contextsHasMore === true ? html`<small class="dim">${this.t('consent.contextMore')}</small>` : nothing}
    </fieldset>`
  }
}

registerConsentTexts()
define(KeelsonError)
definePage('oauth-consent', ConsentPage)
