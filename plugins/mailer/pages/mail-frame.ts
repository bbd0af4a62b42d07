// A mail as its reader sees it: its HTML in a frame without scripts, with its own colours.
import { controls, KeelsonElement } from '@keelson/ui'
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit'

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
const policyOf = (images: string) =>
  `default-src 'none'; img-src data: ${images}; style-src 'unsafe-inline'`
/** How long the document for pictures may take to say that it is ready, once it is loaded. */
const READY_MS = 2_000
const XLINK = 'http://www.w3.org/1999/xlink'
/** A part of the same drawing, or a picture within the mail. */
const WITHIN = /^\s*(#|data:image\/)/i

/** Before anything of a mail is made in the document: an image is fetched when it is made, not when it is shown. */
function restrict(target: Document, images: string): void {
  const meta = target.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = policyOf(images)
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

/** What a picture is fetched by. Styles name pictures too: the policy holds these. */
const PICTURES = 'img[src], img[srcset], source[srcset], [background], image[href], video[poster]'
const NAMES = ['src', 'srcset', 'background', 'poster']

/** Takes the pictures of other servers, so that their texts are shown in place. */
function takePictures(parsed: Document, isOwn: (address: string) => boolean): void {
  for (const element of parsed.querySelectorAll(PICTURES))
    for (const name of NAMES) {
      const address = element.getAttribute(name)
      if (address !== null && !isOwn(address)) element.removeAttribute(name)
    }
}

const UNSHOWN =
  'img:not([src]){background:#eef0f3;outline:1px dashed #8a93a3;outline-offset:-1px;color:#4a5261;font:12px sans-serif;min-height:22px}'

/** A mail that is ready to be drawn. */
interface Drawn {
  readonly parsed: Document
  readonly sheets: readonly string[]
  /** It has pictures of other servers. */
  readonly hasForeign: boolean
}

/**
 * A mail. Links do not open. Pictures of other servers are loaded when a person asks for them, whatever page
 * it is in: in a document with an origin of its own, which the platform answers.
 */
export class MailFrame extends KeelsonElement {
  static readonly tag = 'mailer-mail-frame'
  static override readonly styles = [
    controls,
    css`
    :host { display: flex; flex-direction: column; overflow: hidden; }
    .room { flex: 1; min-block-size: 0; overflow: hidden; }
    iframe { display: block; inline-size: 100%; block-size: 100%; border: 0; background: #fff; transform-origin: 0 0; }
    .off { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; margin: 0; padding: 6px 12px; font-size: var(--_text-sm); color: var(--_ink-2); background: var(--_surface); border-block-end: 1px solid var(--_hair); }
  `
  ]
  static override readonly properties = {
    mail: {},
    dark: { type: Boolean },
    label: {},
    least: { type: Number },
    about: {},
    opaque: { attribute: false },
    _pictures: { state: true },
    _hasForeign: { state: true }
  }
  /** HTML of the mail. */
  declare mail: string
  /** Shown as clients in dark mode do: by the mail's own rules, else inverted. */
  declare dark: boolean
  declare label: string
  /** The least width that the mail is laid out in, in pixels; in less room it is drawn smaller. 0: as wide as here. */
  declare least: number
  /** Which mail it is: another one is asked for anew. */
  declare about: string
  /** Where the platform answers the document for pictures; undefined: there are none. */
  declare opaque: URL | undefined
  /** `failed`: the document did not come, as where the policy of another site forbids it. */
  declare _pictures: 'off' | 'on' | 'failed'
  declare _hasForeign: boolean
  readonly #resized = new ResizeObserver(() => this.#fit())
  #isReady = false

  constructor() {
    super()
    this.least = 0
    this.mail = ''
    this.dark = false
    this.label = ''
    this.about = ''
    this._pictures = 'off'
    this._hasForeign = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resized.observe(this)
    addEventListener('message', this.#onMessage)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resized.disconnect()
    removeEventListener('message', this.#onMessage)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('about')) this._pictures = 'off'
  }

  override render(): TemplateResult {
    return html`${this.#bar()}<div class="room">${
      this._pictures === 'on'
        ? html`<iframe class="opaque" title=${this.label} sandbox="allow-scripts" src=${String(this.opaque)} @load=${() => this.#onLoad()}></iframe>`
        : html`<iframe title=${this.label} sandbox="allow-same-origin"></iframe>`
    }</div>`
  }

  #bar(): TemplateResult | typeof nothing {
    const { t, _pictures: pictures } = this
    if (!this._hasForeign || pictures === 'on') return nothing
    const show = () => {
      this.#isReady = false
      this._pictures = 'on'
    }
    return html`<p class="off"><span>${t(pictures === 'failed' ? 'mail.picturesFailed' : 'mail.picturesOff')}</span>
      ${this.opaque === undefined || pictures === 'failed' ? nothing : html`<button class="link" @click=${show}>${t('mail.showPictures')}</button>`}</p>`
  }

  protected override updated(changed: PropertyValues<MailFrame>): void {
    const isOther = changed.has('_pictures')
    if (changed.has('mail') || changed.has('dark') || isOther) this.#draw()
    if (changed.has('least') || isOther) this.#fit()
  }

  #fit(): void {
    const style = this.renderRoot.querySelector('iframe')?.style
    if (style === undefined) return
    const scale = this.least === 0 ? 1 : Math.min(1, this.clientWidth / this.least)
    style.inlineSize = style.blockSize = `${100 / (scale || 1)}%`
    style.transform = scale < 1 ? `scale(${scale})` : ''
  }

  readonly #onMessage = ({ source, data }: MessageEvent): void => {
    const frame = this.renderRoot.querySelector<HTMLIFrameElement>('iframe.opaque')
    if (data !== 'ready' || frame === null || source !== frame.contentWindow) return
    this.#isReady = true
    this.#draw()
  }

  /** A document that was refused is loaded too, and says nothing. */
  #onLoad(): void {
    setTimeout(() => {
      if (!this.#isReady && this._pictures === 'on') this._pictures = 'failed'
    }, READY_MS)
  }

  /** Pictures that the platform keeps itself. */
  readonly #isOwn = (address: string): boolean =>
    /^data:/i.test(address) || (this.opaque !== undefined && address.startsWith(this.#images))

  get #images(): string {
    return this.opaque === undefined ? '' : new URL('image/', this.opaque).href
  }

  #draw(): void {
    const drawn = this.#prepared()
    this._hasForeign = drawn.hasForeign
    const frame = this.renderRoot.querySelector('iframe')
    if (frame === null) return
    if (this._pictures === 'on') this.#send(frame, drawn)
    else this.#write(frame, drawn)
  }

  #prepared(): Drawn {
    const parsed = new DOMParser().parseFromString(withoutStyles(this.mail), 'text/html')
    for (const element of parsed.querySelectorAll(REMOVED)) element.remove()
    disarmLinks(parsed)
    const sheets = takeSheets(parsed)
    const hasForeign = [...parsed.querySelectorAll(PICTURES)].some((element) =>
      NAMES.some((name) => !this.#isOwn(element.getAttribute(name) ?? 'data:'))
    )
    const isInStyles = /url\(\s*["']?(?:https?:)?\/\//i
    return { parsed, sheets, hasForeign: hasForeign || isInStyles.test(this.mail) }
  }

  #send(frame: HTMLIFrameElement, { parsed, sheets }: Drawn): void {
    if (!this.#isReady) return
    const message = { html: parsed.documentElement.outerHTML, sheets: this.#inView(sheets) }
    // Its origin is opaque: it cannot be named. It cannot leave its address either.
    frame.contentWindow?.postMessage(message, '*')
  }

  #write(frame: HTMLIFrameElement, { parsed, sheets }: Drawn): void {
    const target = frame.contentDocument
    if (!target) return
    takePictures(parsed, this.#isOwn)
    restrict(target, this.#images)
    target.replaceChild(target.importNode(parsed.documentElement, true), target.documentElement)
    for (const element of target.querySelectorAll<HTMLElement>(`[${HELD}]`))
      element.style.cssText = element.getAttribute(HELD) ?? ''
    const view = target.defaultView as (Window & typeof globalThis) | null
    if (view === null) return
    target.adoptedStyleSheets = [UNSHOWN, ...this.#inView(sheets)].map((text) => {
      const sheet = new view.CSSStyleSheet()
      sheet.replaceSync(text)
      return sheet
    })
  }

  /** The style sheets as they are in light or in dark mode. */
  #inView(sheets: readonly string[]): readonly string[] {
    if (!this.dark) return sheets
    const hasOwn = sheets.some((text) => HAS_DARK.test(text))
    const texts = sheets.map((text) => text.replace(DARK, '(min-width: 0)'))
    return hasOwn ? texts : [...texts, INVERTED]
  }
}
