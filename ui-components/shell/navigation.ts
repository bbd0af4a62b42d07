// The navigation: sections of pages, and below them who is signed in.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../controls.ts'
import { KeelsonElement } from '../elements/element.ts'
import { KeelsonAccount } from './account.ts'
import { brandMark } from './brand.ts'
import type { Nav, NavPage } from './nav.ts'
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

  constructor() {
    super()
    this.nav = undefined
    this.current = undefined
    this.label = ''
    this.home = '/'
    this.kept = ''
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
    return html`<li>
      <a href=${page.path + query} aria-current=${isCurrent ? 'page' : nothing}>${page.title}</a>
    </li>`
  }

  #bones(): TemplateResult[] {
    return Array.from({ length: 5 }, () => html`<div class="wait"><span class="bone"></span></div>`)
  }
}
