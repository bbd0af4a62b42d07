// What the HTML part of a mail holds: links, images, words, tags and styles. Pure.

import { Parser } from 'htmlparser2'
import type { LintedImage, LintedLink } from '../contracts.ts'

/** The content of an HTML part. */
export interface MailDocument {
  readonly links: readonly LintedLink[]
  readonly images: readonly LintedImage[]
  readonly visibleText: string
  readonly bareText: string
  readonly tags: ReadonlySet<string>
  readonly css: string
}

/** Their text is not shown, or not as words. */
const SILENT = new Set(['head', 'script', 'style', 'template', 'noscript', 'title'])
const BREAKING = new Set(['br', 'p', 'div', 'td', 'th', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'hr'])

interface OpenLink {
  readonly href: string
  readonly parts: string[]
  hasImage: boolean
}

/** Reads slots as text and never throws: what is broken is read as browsers do. */
export function readDocument(html: string): MailDocument {
  const reader = new DocumentReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name)
  })
  parser.end(html)
  return reader.result()
}

/** Keeps what is open while the parser goes through the text. */
class DocumentReader {
  readonly #links: LintedLink[] = []
  readonly #images: LintedImage[] = []
  readonly #visible: string[] = []
  readonly #bare: string[] = []
  readonly #css: string[] = []
  readonly #tags = new Set<string>()
  /** For each open tag, whether it hides its content. */
  readonly #hiding: boolean[] = []
  #hidden = 0
  #style = 0
  #link: OpenLink | undefined

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { style = '', href, src = '', alt } = attributes
    this.#tags.add(name)
    if (style !== '') this.#css.push(`${style};`)
    const isHiding = SILENT.has(name) || /display\s*:\s*none|mso-hide\s*:\s*all/i.test(style)
    this.#hiding.push(isHiding)
    if (isHiding) this.#hidden += 1
    if (name === 'style') this.#style += 1
    if (BREAKING.has(name)) this.#say(' ')
    if (name === 'img') {
      this.#images.push({ src, alt })
      if (this.#link !== undefined) this.#link.hasImage = true
    }
    if (name === 'area' && href !== undefined) {
      this.#links.push({ href: href.trim(), text: alt ?? '', hasImage: false })
    }
    if (name === 'a' && href !== undefined) {
      this.#endLink()
      this.#link = { href: href.trim(), parts: [], hasImage: false }
    }
  }

  text(text: string): void {
    if (this.#style > 0) this.#css.push(text)
    if (this.#hidden === 0) this.#say(text)
  }

  close(name: string): void {
    if (this.#hiding.pop() === true) this.#hidden -= 1
    if (name === 'style') this.#style -= 1
    if (name === 'a') this.#endLink()
    if (BREAKING.has(name)) this.#say(' ')
  }

  result(): MailDocument {
    this.#endLink()
    return {
      links: this.#links,
      images: this.#images,
      visibleText: collapsed(this.#visible),
      bareText: collapsed(this.#bare),
      tags: this.#tags,
      css: this.#css.join('\n')
    }
  }

  #say(text: string): void {
    this.#visible.push(text)
    if (this.#link === undefined) this.#bare.push(text)
    else this.#link.parts.push(text)
  }

  #endLink(): void {
    if (this.#link === undefined) return
    const { href, parts, hasImage } = this.#link
    this.#links.push({ href, text: collapsed(parts), hasImage })
    this.#link = undefined
    // Words on both sides of a link are not one word.
    this.#bare.push(' ')
  }
}

const collapsed = (parts: readonly string[]): string =>
  parts
    .join('')
    .replace(/[\s\u00a0\u200b-\u200d\u2060\ufeff]+/g, ' ')
    .trim()
