// The sign-in page.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../controls.ts'
import { define } from '../define.ts'
import { KeelsonElement } from '../elements/element.ts'
import { loadTranslations, registerCatalog } from '../locales/catalog.ts'
import { brandMark } from './brand.ts'
import { homeOf, readShellConfig } from './config.ts'
import { nextAddress } from './next-address.ts'
import texts from './sign-in.en.json' with { type: 'json' }
import { signInStyles } from './sign-in-styles.ts'

/** Email and password, sent to the address of the page itself. */
class KeelsonSignIn extends KeelsonElement {
  static readonly tag = 'keelson-sign-in'
  static override readonly styles = [controls, signInStyles]
  static override readonly properties = { _problem: { state: true }, _isBusy: { state: true } }
  declare _problem: string
  declare _isBusy: boolean
  readonly #config = readShellConfig(document)

  constructor() {
    super()
    this._problem = ''
    this._isBusy = false
  }

  protected override firstUpdated(): void {
    document.title = `${this.t('signIn.heading')} · ${this.#config.title}`
    const hint = new URLSearchParams(location.search).get('login_hint')
    const email = this.#field('email')
    if (email !== null && hint !== null) email.value = hint
    this.#field(hint === null ? 'email' : 'password')?.focus()
  }

  #field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector(`[name=${name}]`)
  }

  async #onSubmit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (this._isBusy) return
    const email = this.#field('email')?.value.trim() ?? ''
    const password = this.#field('password')?.value ?? ''
    if (email === '' || password === '') {
      this.#refuse('signIn.missing', email === '' ? 'email' : 'password')
      return
    }
    this._isBusy = true
    this._problem = ''
    try {
      const response = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ email, password })
      })
      if (response.ok) location.replace(nextAddress(location.search, homeOf(this.#config)))
      else this.#refuse(problemOf(response.status), 'password', String(response.status))
    } catch {
      this.#refuse('error.offline', 'password')
    }
    this._isBusy = false
  }

  #refuse(key: string, field: string, status = ''): void {
    const reason = this.t('error.status', { status })
    this._problem = this.t(key, { reason })
    this.#field(field)?.focus()
    if (field === 'password') this.#field(field)?.select()
  }

  /** The application that asks for access, so that people know what they sign in for. */
  #purpose(): TemplateResult | typeof nothing {
    const { purpose } = this.#config
    if (purpose === undefined) return nothing
    const { name, host, logo } = purpose
    return html`<div class="purpose">
      ${logo === undefined ? nothing : html`<img src=${logo} alt="" width="32" height="32" @error=${hide} />`}
      <p>${this.t('signIn.purpose', { name })}${host === undefined ? nothing : html`<small>${host}</small>`}</p>
    </div>`
  }

  override render(): TemplateResult {
    const describedBy = this._problem === '' ? nothing : 'problem'
    const field = (
      name: 'email' | 'password',
      autocomplete: 'username' | 'current-password'
    ) => html`<label
      >${this.t(`signIn.${name}`)}
      <input
        class="field"
        name=${name}
        type=${name}
        autocomplete=${autocomplete}
        aria-describedby=${describedBy}
        aria-invalid=${this._problem === '' ? nothing : 'true'}
        required
    /></label>`
    return html`<main>
      <div class="brand">${brandMark()}${this.#config.title}</div>
      <form novalidate @submit=${this.#onSubmit}>
        <h1>${this.t('signIn.heading')}</h1>
        ${this.#purpose()}
        ${this._problem === '' ? nothing : html`<p id="problem" class="problem" role="alert">${this._problem}</p>`}
        ${field('email', 'username')} ${field('password', 'current-password')}
        <button class="btn primary" aria-disabled=${this._isBusy ? 'true' : nothing}>${this.t('signIn.action')}</button>
      </form>
      ${this.#config.hint === undefined ? nothing : html`<p class="hint">${this.#config.hint}</p>`}
    </main>`
  }
}

/** A logo that cannot be shown leaves no gap. */
const hide = (event: Event): void => {
  ;(event.target as HTMLElement).hidden = true
}

/** The shell brings their English along. */
const elements = {}

/** Defines the element when its words are there, which only this page needs: no label changes later. */
export async function defineSignIn(): Promise<void> {
  registerCatalog('en', elements, { de: () => import('../german/index.ts') })
  registerCatalog('en', texts, {
    de: () => import('./sign-in.de.json', { with: { type: 'json' } })
  })
  await loadTranslations(document.documentElement.lang)
  define(KeelsonSignIn)
}

function problemOf(status: number): string {
  if (status === 401 || status === 400) return 'signIn.wrong'
  return status === 429 ? 'signIn.tooMany' : 'signIn.failed'
}
