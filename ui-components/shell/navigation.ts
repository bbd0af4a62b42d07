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

const FOLDED = 'keelson-folded-sections'

/** What this browser keeps; nothing where it keeps nothing. */
function readFolded(): ReadonlySet<string> {
  try {
    return new Set((localStorage.getItem(FOLDED) ?? '').split(' ').filter(Boolean))
  } catch {
    return new Set()
  }
}

function keepFolded(folded: ReadonlySet<string>): void {
  try {
    localStorage.setItem(FOLDED, [...folded].join(' '))
  } catch {
    // Storage is off: sections stay folded as long as the document.
  }
}

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
    kept: { attribute: false },
    _folded: { state: true }
  }
  declare nav: Nav | undefined
  declare current: NavPage | undefined
  declare label: string
  /** Where the mark leads. */
  declare home: string
  /** The query that pages of the current page's plugin get: its range, its filters. */
  declare kept: string
  /** Sections that are folded, by their id. */
  declare _folded: ReadonlySet<string>
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
    this._folded = readFolded()
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
    if (changed.has('current') || changed.has('nav'))
      this.renderRoot.querySelector('a[aria-current]')?.scrollIntoView({ block: 'nearest' })
    if (this.#badges !== undefined) {
      if (changed.has('nav')) this.#badges.take()
      else if (changed.has('current')) this.#badges.refresh()
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
    return sections.map(({ id, title, pages }) => {
      const isFolded = this._folded.has(id)
      // The page that is shown stays in a folded section.
      const shown = isFolded ? pages.filter((page) => this.#isCurrent(page)) : pages
      return html`<h2 id="section-${id}"><button aria-expanded=${!isFolded} @click=${() => this.#fold(id)}>${title}</button></h2>
        <ul aria-labelledby="section-${id}">
          ${shown.map((page) => this.#link(page))}
        </ul>`
    })
  }

  #fold(id: string): void {
    const folded = new Set(this._folded)
    if (!folded.delete(id)) folded.add(id)
    this._folded = folded
    keepFolded(folded)
  }

  #isCurrent({ plugin, id }: NavPage): boolean {
    return plugin === this.current?.plugin && id === this.current.id
  }

  #link(page: NavPage): TemplateResult {
    const isCurrent = this.#isCurrent(page)
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
