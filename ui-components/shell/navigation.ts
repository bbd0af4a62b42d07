// The navigation: sections of pages, and below them who is signed in.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { controls } from '../controls.ts'
import { KeelsonElement } from '../elements/element.ts'
import { KeelsonAccount } from './account.ts'
import { brandMark } from './brand.ts'
import { type Nav, type NavPage, pagesOf } from './nav.ts'
import type { NavBadges } from './nav-badges.ts'
import type { navIcon } from './nav-icons.ts'
import { navigationStyles } from './navigation-styles.ts'

/** Brand, sections, account. Real links throughout. */
export class KeelsonNavigation extends KeelsonElement {
  static readonly tag = 'keelson-navigation'
  static readonly uses = [KeelsonAccount]
  static override readonly styles = [controls, navigationStyles]
  static override readonly properties = {
    nav: { attribute: false },
    current: { attribute: false },
    label: {},
    home: {},
    kept: { attribute: false }
  }
  declare nav: Nav | undefined
  declare current: NavPage | undefined
  declare label: string
  /** Where the mark leads. */
  declare home: string
  /** The query that pages of the current page's plugin get: its range, its filters. */
  declare kept: string
  #badges: NavBadges | undefined
  #hasBadges = false
  #icon: typeof navIcon | undefined

  constructor() {
    super()
    this.nav = undefined
    this.current = undefined
    this.label = ''
    this.home = '/'
    this.kept = ''
  }

  /** The icons come after the words: their room is kept. */
  protected override firstUpdated(): void {
    void import('./nav-icons.ts').then(({ navIcon: icon }) => {
      this.#icon = icon
      this.requestUpdate()
    })
  }

  /** Badges are a separate file: most hosts have none. */
  protected override updated(changed: PropertyValues): void {
    if (this.#badges !== undefined) {
      if (changed.has('current')) this.#badges.refresh()
    } else if (!this.#hasBadges && this.nav && pagesOf(this.nav).some(({ badge }) => badge)) {
      this.#hasBadges = true
      void import('./nav-badges.ts').then(({ NavBadges: badges }) => {
        this.#badges = new badges(this)
      })
    }
  }

  override render(): TemplateResult {
    return html`<nav aria-label=${this.t('shell.navigation')}>
      <a class="brand" href=${this.home}>${brandMark()}<span>${this.label}</span></a>
      <div class="sections">
        ${this.nav === undefined ? this.#bones() : this.#sections(this.nav)}
      </div>
      ${
        this.nav === undefined
          ? nothing
          : html`<keelson-account .viewer=${this.nav.viewer}></keelson-account>`
      }
    </nav>`
  }

  #sections({ sections }: Nav): TemplateResult[] {
    return sections.map(
      ({ id, title, pages }) => html`<h2 id="section-${id}">${title}</h2>
        <ul aria-labelledby="section-${id}">
          ${pages.map((page) => this.#link(page))}
        </ul>`
    )
  }

  #link(page: NavPage): TemplateResult {
    const isCurrent = page.plugin === this.current?.plugin && page.id === this.current.id
    const query = page.plugin === this.current?.plugin && !isCurrent ? this.kept : ''
    const badge = this.#badges?.textOf(page)
    return html`<li>
      <a href=${page.path + query} aria-current=${isCurrent ? 'page' : nothing}
        ><i>${this.#icon?.(page.icon)}</i>${page.title}${badge ? html` <b>${badge}</b>` : nothing}</a
      >
    </li>`
  }

  #bones(): TemplateResult[] {
    return Array.from({ length: 5 }, () => html`<div class="wait"><span class="bone"></span></div>`)
  }
}
