// Who is signed in, the theme, and the way out.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../controls.ts'
import { KeelsonElement } from '../elements/element.ts'
import { toast } from '../feedback.ts'
import { accountStyles } from './account-styles.ts'
import { homeOf, readShellConfig, signInHref } from './config.ts'
import { type ShellIcon, shellIcon } from './icons.ts'
import { chooseLanguage, LANGUAGES, type Language } from './language.ts'
import type { NavViewer } from './nav.ts'
import type { SignOut } from './shell-config.ts'
import { chooseTheme, readTheme, THEMES, type Theme } from './theme.ts'

const THEME_ICONS: Readonly<Record<Theme, ShellIcon>> = {
  system: 'screen',
  light: 'sun',
  dark: 'moon'
}

/** The foot of the navigation. */
export class KeelsonAccount extends KeelsonElement {
  static readonly tag = 'keelson-account'
  static override readonly styles = [controls, accountStyles]
  static override readonly properties = { viewer: { attribute: false }, _theme: { state: true } }
  /** Null when signed out, undefined where there is no sign-in. */
  declare viewer: NavViewer | null | undefined
  declare _theme: Theme
  readonly #config = readShellConfig(document)

  constructor() {
    super()
    this.viewer = null
    this._theme = readTheme()
  }

  #choose(theme: Theme): void {
    this._theme = theme
    chooseTheme(theme)
  }

  async #signOut({ address, method }: SignOut): Promise<void> {
    if (method === 'GET') {
      location.assign(address)
      return
    }
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { accept: 'application/json' }
      })
      if (!response.ok && response.status !== 401) throw new Error(String(response.status))
      location.assign(this.#config.signIn ?? homeOf(this.#config))
    } catch {
      toast(this, { text: this.t('shell.signOutFailed'), tone: 'bad' })
    }
  }

  override render(): TemplateResult {
    return html`<div class="themes" role="group" aria-label=${this.t('shell.theme')}>
        ${THEMES.map((theme) => this.#theme(theme))}
        <button
          aria-label=${this.t('shell.shortcuts')}
          title=${this.t('shell.shortcuts')}
          @click=${() => this.send('keelson-help', {})}
        >?</button>
        ${this.#language()}
      </div>
      ${this.#person()}`
  }

  /** Offers the other language, by its own name. */
  #language(): TemplateResult {
    const now = this.format.locale.startsWith('de') ? 'de' : 'en'
    const other: Language = now === 'de' ? 'en' : 'de'
    return html`<button class="language" lang=${other} @click=${() => chooseLanguage(other)}>${LANGUAGES[other]}</button>`
  }

  #person(): TemplateResult | typeof nothing {
    if (this.viewer === undefined) return nothing
    return this.viewer === null ? this.#signIn() : this.#who(this.viewer)
  }

  #theme(theme: Theme): TemplateResult {
    const words = this.t(`shell.theme.${theme}`)
    return html`<button
      aria-pressed=${theme === this._theme ? 'true' : 'false'}
      aria-label=${words}
      title=${words}
      @click=${() => this.#choose(theme)}
    >
      ${shellIcon(THEME_ICONS[theme], 14)}
    </button>`
  }

  #signIn(): TemplateResult | typeof nothing {
    const href = signInHref(this.#config)
    if (href === undefined) return nothing
    return html`<div class="who"><a class="btn primary" href=${href}>${this.t('shell.signIn')}</a></div>`
  }

  #who({ email, name, tenantId, tenantName, role }: NavViewer): TemplateResult {
    const label = email ?? name ?? role
    return html`<div class="who">
      <span class="avatar" aria-hidden="true">${[...label][0]?.toUpperCase()}</span>
      <span class="words"
        ><span>${label}</span><span class="dim">${tenantName ?? tenantId}, ${role}</span></span
      >
      ${this.#wayOut(this.#config.signOut)}
    </div>`
  }

  #wayOut(signOut: SignOut | undefined): TemplateResult | typeof nothing {
    if (signOut === undefined) return nothing
    return html`<button
      class="btn quiet icon"
      aria-label=${this.t('shell.signOut')}
      title=${this.t('shell.signOut')}
      @click=${() => void this.#signOut(signOut)}
    >
      ${shellIcon('sign-out')}
    </button>`
  }
}
