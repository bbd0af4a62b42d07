// Finds the places of an HTML template that differ per mail: links, the open pixel, the preheader.
import { decodeHTMLAttribute } from 'entities'
import { Tokenizer } from 'htmlparser2'
import { judgeTarget, type TargetOrigin, type TargetVerdict } from './link-target.ts'
import { escapeHtml, MARK } from './slot-engine.ts'
import { MASK, maskSlots } from './slot-spans.ts'

/** A link in marked HTML, by the number in its mark. */
export interface LinkPlace extends TargetOrigin {
  /** How a target without slots came out. */
  readonly verdict?: TargetVerdict
}

/** HTML whose marks a `MarkWriter` fills. */
export interface MarkedHtml {
  readonly source: string
  readonly links: readonly LinkPlace[]
}

/** Attributes whose address a reader follows: they must never run code. */
const ADDRESSES = ['href', 'action', 'formaction', 'xlink:href']

const MOST_LINKS = 2_000

interface Attribute {
  /** Of the value, without quotes. */
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

interface Tag {
  readonly name: string
  /** Behind `>`. */
  readonly end: number
  /** By name: of attributes of one name the first one counts. */
  readonly attributes: ReadonlyMap<string, Attribute>
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Marks a template. Slots are neither filled nor read. @throws when it has more than 2,000 links. */
export function markHtml(html: string): MarkedHtml {
  const { tags, bodyClose, contentStart } = readTags(html)
  const links: LinkPlace[] = []
  const edits: Edit[] = [
    insertAt(contentStart, `{{{${MARK.preheader}}}}`),
    insertAt(bodyClose, `{{{${MARK.pixel}}}}`)
  ]
  for (const tag of tags) {
    for (const name of ADDRESSES) {
      const attribute = tag.attributes.get(name)
      if (attribute === undefined) continue
      const isTrackable = isLink(tag) && name === 'href' && !isOptedOut(html, tag)
      const edit = markAddress(html, { attribute, isTrackable, links })
      if (edit !== undefined) edits.push(edit)
    }
  }
  if (links.length > MOST_LINKS) throw new Error(`it has more than ${MOST_LINKS} links`)
  return { source: applyEdits(html, edits), links }
}

/** Links, areas of image maps, and shapes of VML, by which Outlook draws buttons. */
const isLink = ({ name }: Tag): boolean => name === 'a' || name === 'area' || name.startsWith('v:')

interface Found {
  readonly attribute: Attribute
  readonly isTrackable: boolean
  readonly links: LinkPlace[]
}

function markAddress(html: string, { attribute, isTrackable, links }: Found): Edit | undefined {
  const { start, end, isQuoted } = attribute
  const raw = html.slice(start, end)
  const masked = maskSlots(raw)
  const firstSlot = masked.indexOf(MASK)
  const quote = isQuoted ? '' : '"'
  const write = (text: string) => ({ start, end, text: `${quote}${text}${quote}` })
  if (firstSlot >= 0) {
    const isSchemeFromData = !/[:/#?]/.test(raw.slice(0, firstSlot))
    links.push({ isTrackable, isSchemeFromData })
    return write(`{{#${MARK.link} ${links.length - 1}}}${raw}{{/${MARK.link}}}`)
  }
  const origin = { isTrackable, isSchemeFromData: false }
  const verdict = judgeTarget(decodeHTMLAttribute(raw), origin)
  if (verdict.target !== undefined) {
    links.push({ ...origin, verdict })
    return write(`{{{${MARK.link} ${links.length - 1}}}}`)
  }
  // What the author wrote stays as it is, unless it would run code.
  return verdict.href === '#' ? write('#') : undefined
}

function isOptedOut(html: string, { attributes }: Tag): boolean {
  const mark = attributes.get('data-mailer-notrack')
  return mark !== undefined && html.slice(mark.start, mark.end).toLowerCase() !== 'false'
}

const insertAt = (place: number, text: string): Edit => ({ start: place, end: place, text })

function applyEdits(html: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let last = 0
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    parts.push(html.slice(last, start), text)
    last = end
  }
  return parts.concat(html.slice(last)).join('')
}

interface Places {
  readonly tags: readonly Tag[]
  /** Of the last `</body>`, else the end. */
  readonly bodyClose: number
  /** Behind `<body>`, else behind what comes before a body. */
  readonly contentStart: number
}

/** Outlook alone reads what such a comment holds; for the tokenizer it is one comment. */
const CONDITIONAL = /^\s*\[if [^\]]*\]>/i

function readTags(html: string): Places {
  const { comments, ...places } = readMasked(maskSlots(html))
  const hidden = comments.flatMap(({ start, text }) => {
    const opening = CONDITIONAL.exec(text)?.[0].length
    if (opening === undefined) return []
    return readMasked(text.slice(opening)).tags.map((tag) => moved(tag, start + opening))
  })
  return { ...places, tags: [...places.tags, ...hidden] }
}

/** A tag of a part of a text, where it is in the whole. */
function moved({ name, end, attributes }: Tag, by: number): Tag {
  const shifted = [...attributes].map(([attribute, { start, end: last, isQuoted }]) => {
    return [attribute, { start: start + by, end: last + by, isQuoted }] as const
  })
  return { name, end: end + by, attributes: new Map(shifted) }
}

interface Comment {
  readonly start: number
  readonly text: string
}

function readMasked(masked: string): Places & { readonly comments: readonly Comment[] } {
  const comments: Comment[] = []
  const tags: Tag[] = []
  let bodyClose = masked.length
  let beforeBody = 0
  let name = ''
  let attributes = new Map<string, Attribute>()
  let attribute = ''
  let value: readonly [number, number] | undefined
  const open = (last: number) => {
    tags.push({ name, end: last + 1, attributes })
    if (name === 'html') beforeBody = last + 1
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        name = masked.slice(start, end).toLowerCase()
        attributes = new Map()
      },
      onattribname: (start, end) => {
        attribute = masked.slice(start, end).toLowerCase()
        value = undefined
      },
      onattribdata: (start, end) => {
        value = [value?.[0] ?? start, end]
      },
      // 1 is an unquoted value, 0 no value at all.
      onattribend: (quote, end) => {
        if (attributes.has(attribute)) return
        const [first, last] = value ?? [end, end]
        attributes.set(attribute, { start: first, end: last, isQuoted: quote > 1 })
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => {
        const closed = masked.slice(start, end).toLowerCase()
        if (closed === 'body') bodyClose = masked.lastIndexOf('<', start)
        if (closed === 'head') beforeBody = masked.indexOf('>', end) + 1
      },
      ondeclaration: (_start, end) => {
        beforeBody = end + 1
      },
      onattribentity: nothing,
      oncdata: nothing,
      oncomment: (start, end, behind) => {
        comments.push({ start, text: masked.slice(start, end - behind) })
      },
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing
    }
  )
  tokenizer.write(masked)
  tokenizer.end()
  const body = tags.find((tag) => tag.name === 'body')
  return { tags, comments, bodyClose, contentStart: body?.end ?? beforeBody }
}

/** An address as a value within double quotes. */
export const escapeAddress = (address: string): string =>
  address.replace(/[&<>"']/g, (sign) => escapeHtml(sign))
