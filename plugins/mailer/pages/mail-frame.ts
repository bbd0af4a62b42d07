// A mail as its reader sees it: its HTML in a frame without scripts, with its own colours.
import { KeelsonElement } from '@keelson/ui'
import { css, html, type PropertyValues, type TemplateResult } from 'lit'

/** Holds an inline style until it is set: the policy of the page forbids inline styles in markup. */
const HELD = 'data-mail-style'
/** Holds a style sheet. */
const SHEET = 'data-mail-sheet'
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi

/** Markup in which no style is one, so that parsing it asks no policy. */
const withoutStyles = (text: string): string =>
  text.replace(TAG, (tag) =>
    tag
      .replace(/^<style\b/i, `<textarea ${SHEET}`)
      .replace(/^<\/style\b/i, '</textarea')
      .replace(/\sstyle\s*=/gi, ` ${HELD}=`)
  )

/** Takes the style sheets out of a document. */
const takeSheets = (from: ParentNode): readonly string[] =>
  [...from.querySelectorAll<HTMLTextAreaElement>(`[${SHEET}]`)].map((sheet) => {
    sheet.remove()
    return sheet.defaultValue
  })

const DARK = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi
const HAS_DARK = new RegExp(DARK.source, 'i')
const INVERTED =
  'html{background:#fff;filter:invert(1) hue-rotate(180deg)}img,video{filter:invert(1) hue-rotate(180deg)}'
/** `animate` and `set` can give a link its target back. */
const REMOVED = 'script,link,meta,base,object,embed,iframe,frame,animate,set'
/** Of the frame itself: the page around may have no policy, as that of another site that embeds this one. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
const XLINK = 'http://www.w3.org/1999/xlink'
/** A part of the same drawing, or a picture within the mail. */
const WITHIN = /^\s*(#|data:image\/)/i

/** Before anything of a mail is made in the document: an image is fetched when it is made, not when it is shown. */
function restrict(target: Document): void {
  const meta = target.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = POLICY
  target.head.append(meta)
}

/** Takes the target of every link, of HTML, image maps, SVG and MathML, and shows it as a hint. */
function disarmLinks(parsed: Document): void {
  for (const element of parsed.querySelectorAll('[*|href]')) {
    const { localName } = element
    const target = element.getAttribute('href') ?? element.getAttributeNS(XLINK, 'href') ?? ''
    const isLink = localName === 'a' || localName === 'area'
    if (!isLink && WITHIN.test(target)) continue
    if (isLink) element.setAttribute('title', target)
    element.removeAttribute('href')
    element.removeAttributeNS(XLINK, 'href')
  }
}

/** A mail. Links do not open; pictures of other servers are not loaded, whatever page it is in. */
export class MailFrame extends KeelsonElement {
  static readonly tag = 'mailer-mail-frame'
  static override readonly styles = css`
    :host { display: block; overflow: hidden; }
    iframe { display: block; inline-size: 100%; block-size: 100%; border: 0; background: #fff; transform-origin: 0 0; }
  `
  static override readonly properties = {
    mail: {},
    dark: { type: Boolean },
    label: {},
    least: { type: Number }
  }
  /** HTML of the mail. */
  declare mail: string
  /** Shown as clients in dark mode do: by the mail's own rules, else inverted. */
  declare dark: boolean
  declare label: string
  /** The least width that the mail is laid out in, in pixels; in less room it is drawn smaller. 0: as wide as here. */
  declare least: number
  readonly #resized = new ResizeObserver(() => this.#fit())

  constructor() {
    super()
    this.least = 0
    this.mail = ''
    this.dark = false
    this.label = ''
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resized.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resized.disconnect()
  }

  override render(): TemplateResult {
    return html`<iframe title=${this.label} sandbox="allow-same-origin"></iframe>`
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('mail') || changed.has('dark')) this.#draw()
    if (changed.has('least')) this.#fit()
  }

  #fit(): void {
    const style = this.renderRoot.querySelector('iframe')?.style
    if (style === undefined) return
    const scale = this.least === 0 ? 1 : Math.min(1, this.clientWidth / this.least)
    style.inlineSize = style.blockSize = `${100 / (scale || 1)}%`
    style.transform = scale < 1 ? `scale(${scale})` : ''
  }

  #draw(): void {
    const frame = this.renderRoot.querySelector('iframe')
    const target = frame?.contentDocument
    if (!target) return
    const parsed = new DOMParser().parseFromString(withoutStyles(this.mail), 'text/html')
    for (const element of parsed.querySelectorAll(REMOVED)) element.remove()
    disarmLinks(parsed)
    const sheets = takeSheets(parsed)
    restrict(target)
    target.replaceChild(target.importNode(parsed.documentElement, true), target.documentElement)
    for (const element of target.querySelectorAll<HTMLElement>(`[${HELD}]`))
      element.style.cssText = element.getAttribute(HELD) ?? ''
    this.#applySheets(target, sheets)
  }

  #applySheets(target: Document, sheets: readonly string[]): void {
    const view = target.defaultView as (Window & typeof globalThis) | null
    if (view === null) return
    const hasOwn = sheets.some((text) => HAS_DARK.test(text))
    const texts = this.dark
      ? sheets.map((text) => text.replace(DARK, '(min-width: 0)'))
      : [...sheets]
    if (this.dark && !hasOwn) texts.push(INVERTED)
    target.adoptedStyleSheets = texts.map((text) => {
      const sheet = new view.CSSStyleSheet()
      sheet.replaceSync(text)
      return sheet
    })
  }
}
