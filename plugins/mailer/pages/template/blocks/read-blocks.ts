// Reads the body of an MJML source as blocks, each with its exact place. Never fails: what it does not know stays code.

/** What a block is. `code`: shown and moved as it is written. */
export type BlockKind =
  | 'body'
  | 'wrapper'
  | 'section'
  | 'group'
  | 'column'
  | 'text'
  | 'image'
  | 'button'
  | 'divider'
  | 'spacer'
  | 'social'
  | 'network'
  | 'raw'
  | 'code'

/** A place in the source. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** An attribute of a tag: its range begins with the white space before it. */
export interface Attribute extends Range {
  readonly name: string
  /** As it is written, without quotes. */
  readonly value: string
}

/** A block. Its ranges are those of the source it was read from. */
export interface Block extends Range {
  readonly kind: BlockKind
  /** As `mj-text`; empty for text and comments between tags. */
  readonly tag: string
  readonly attributes: readonly Attribute[]
  /** What is between the tags; undefined for a tag that closes itself, and for code. */
  readonly content: Range | undefined
  readonly children: readonly Block[]
}

/** A source and its body; undefined without a complete `mj-body`. */
export interface BlockDocument {
  readonly source: string
  readonly body: Block | undefined
}

const KINDS: ReadonlyMap<string, BlockKind> = new Map([
  ['mj-body', 'body'],
  ['mj-wrapper', 'wrapper'],
  ['mj-section', 'section'],
  ['mj-group', 'group'],
  ['mj-column', 'column'],
  ['mj-text', 'text'],
  ['mj-image', 'image'],
  ['mj-button', 'button'],
  ['mj-divider', 'divider'],
  ['mj-spacer', 'spacer'],
  ['mj-social', 'social'],
  ['mj-social-element', 'network'],
  ['mj-raw', 'raw']
])
/** Kinds that hold other blocks. */
const HOLDERS: ReadonlySet<BlockKind> = new Set([
  'body',
  'wrapper',
  'section',
  'group',
  'column',
  'social'
])
/** Tags whose content is HTML, which MJML does not read. */
const ENDING = new Set([
  ...['mj-text', 'mj-button', 'mj-raw', 'mj-table', 'mj-social-element', 'mj-navbar-link'],
  ...['mj-accordion-title', 'mj-accordion-text', 'mj-style', 'mj-title', 'mj-preview']
])

const SLOT = /\{\{!--[\s\S]*?--\}\}|\{\{\{?[^{}<]*\}\}\}?/g
const MASK = '\uE000'
const TAG =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\/([a-z][\w:-]*)\s*>|<([a-z][\w:-]*)((?:[^"'<>]|"[^"]*"|'[^']*')*)>/gi
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/** A tag, comment or closing tag. */
interface Token extends Range {
  readonly type: 'open' | 'close' | 'other'
  readonly name: string
  /** What is behind the name of an opening tag. */
  readonly rest: string
  /** The token that closes this one: itself for a tag that closes itself. */
  end: Token | undefined
}

/** Reads a source. */
export function readBlocks(source: string): BlockDocument {
  // A slot may hold quotes and `>`: it is read as plain characters of the same length.
  const masked = source.replace(SLOT, (slot) => MASK.repeat(slot.length))
  const tokens = tokensOf(masked)
  const at = tokens.findIndex(
    ({ name, end }, index) => name === 'mj-body' && end !== undefined && end !== tokens[index]
  )
  const reading = { source, masked, tokens }
  return { source, body: at === -1 ? undefined : blockAt(reading, at).block }
}

/** The source of a document, put together from its blocks and what is between them. */
export function writeBlocks({ source, body }: BlockDocument): string {
  if (body === undefined) return source
  return source.slice(0, body.from) + written(source, body) + source.slice(body.to)
}

function written(source: string, block: Block): string {
  const parts: string[] = []
  let at = block.from
  for (const child of block.children) {
    parts.push(source.slice(at, child.from), written(source, child))
    at = child.to
  }
  return parts.concat(source.slice(at, block.to)).join('')
}

/** The tags in order, those that belong together linked. */
function tokensOf(masked: string): readonly Token[] {
  const tokens: Token[] = []
  const open: Token[] = []
  const scan = new RegExp(TAG)
  for (let found = scan.exec(masked); found !== null; found = scan.exec(masked)) {
    const token = tokenOf(found)
    tokens.push(token)
    if (token.type === 'close') close(open, token)
    if (token.type !== 'open' || token.end !== undefined) continue
    if (!ENDING.has(token.name)) {
      open.push(token)
      continue
    }
    token.end = endingOf(masked, token)
    if (token.end === undefined) continue
    tokens.push(token.end)
    scan.lastIndex = token.end.to
  }
  return tokens
}

function tokenOf({ 0: all, 1: closed, 2: opened, 3: rest = '', index }: RegExpExecArray): Token {
  const type = opened !== undefined ? 'open' : closed !== undefined ? 'close' : 'other'
  const name = opened ?? closed ?? ''
  const token: Token = { type, name, rest, from: index, to: index + all.length, end: undefined }
  if (type === 'open' && rest.endsWith('/')) token.end = token
  return token
}

/** Links a closing tag with the nearest tag of its name; tags between them stay unclosed. */
function close(open: Token[], token: Token): void {
  const at = open.findLastIndex(({ name }) => name === token.name)
  const opener = open[at]
  if (opener === undefined) return
  opener.end = token
  open.length = at
}

function endingOf(masked: string, { name, to }: Token): Token | undefined {
  const scan = new RegExp(`</${name}\\s*>`, 'g')
  scan.lastIndex = to
  const found = scan.exec(masked)
  if (found === null) return undefined
  const range = { from: found.index, to: scan.lastIndex }
  return { type: 'close', name, rest: '', ...range, end: undefined }
}

interface Reading {
  readonly source: string
  readonly masked: string
  readonly tokens: readonly Token[]
}

/** The block that begins with a token, and the index of the token behind it. */
function blockAt(reading: Reading, at: number): { readonly block: Block; readonly next: number } {
  const token = reading.tokens[at] as Token
  const { end = token, from, name } = token
  const next = end === token ? at + 1 : reading.tokens.indexOf(end, at) + 1
  const kind = token.end === undefined ? 'code' : (KINDS.get(name) ?? 'code')
  const range = { from, to: end.to }
  if (kind === 'code') return { block: codeBlock(range, name), next }
  const content = end === token ? undefined : { from: token.to, to: end.from }
  const isHolder = HOLDERS.has(kind) && content !== undefined
  const children = isHolder ? childrenIn(reading, content, { at: at + 1, end: next - 1 }) : []
  const attributes = attributesOf(reading, token)
  return { block: { ...range, kind, tag: name, attributes, content, children }, next }
}

function childrenIn(
  reading: Reading,
  { from, to }: Range,
  tokens: { readonly at: number; readonly end: number }
): readonly Block[] {
  const children: Block[] = []
  let { at } = tokens
  let last = from
  while (at < tokens.end) {
    const { block, next } = blockAt(reading, at)
    children.push(...textIn(reading, last, block.from), block)
    last = block.to
    at = next
  }
  return [...children, ...textIn(reading, last, to)]
}

/** Text between tags, as `{{#if …}}`, without the white space around it. */
function textIn({ masked }: Reading, from: number, to: number): readonly Block[] {
  const text = masked.slice(from, to)
  const trimmed = text.trim()
  if (trimmed === '') return []
  const start = from + text.indexOf(trimmed)
  return [codeBlock({ from: start, to: start + trimmed.length }, '')]
}

const codeBlock = (range: Range, tag: string): Block => ({
  ...range,
  kind: 'code',
  tag,
  attributes: [],
  content: undefined,
  children: []
})

function attributesOf({ source }: Reading, { from, name, rest }: Token): readonly Attribute[] {
  const start = from + 1 + name.length
  const found = rest.replace(/\/$/, '').matchAll(ATTRIBUTE)
  return [...found].map(({ 0: all, 1: key = '', 2: value = '', index }) => {
    const to = start + index + all.length
    const nameFrom = start + index + all.length - all.trimStart().length
    const quotes = /^["']/.test(value) ? 1 : 0
    return {
      from: start + index,
      to,
      name: source.slice(nameFrom, nameFrom + key.length),
      value: source.slice(to - value.length + quotes, to - quotes)
    }
  })
}
