// Edits of blocks: each rewrites the range of its block alone and leaves every other character as it is. Pure.
import { type Block, type BlockDocument, type Range, readBlocks } from './read-blocks.ts'

/** A source after an edit, and the path of the block that is selected now; `''` for none. */
export interface Edited {
  readonly source: string
  readonly path: string
}

/** A block and its path: positions from the body inwards, as `0.1.2`. */
export interface PlacedBlock {
  readonly path: string
  readonly block: Block
}

/** The block at a path. */
export function blockAt({ body }: BlockDocument, path: string): Block | undefined {
  if (path === '') return undefined
  let at = body
  for (const index of path.split('.')) at = at?.children[Number(index)]
  return at
}

/** All blocks of the body in the order of the source. */
export function allBlocks({ body }: BlockDocument): readonly PlacedBlock[] {
  const below = (block: Block, prefix: string): readonly PlacedBlock[] =>
    block.children.flatMap((child, index) => {
      const path = `${prefix}${index}`
      return [{ path, block: child }, ...below(child, `${path}.`)]
    })
  return body === undefined ? [] : below(body, '')
}

/** The path of the block around this one; `''` for the body. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))

const indexOf = (path: string): number => Number(path.slice(path.lastIndexOf('.') + 1))
const childPath = (parent: string, index: number): string =>
  parent === '' ? String(index) : `${parent}.${index}`

/** Replaces a range of a source. */
const spliced = (source: string, { from, to }: Range, text: string): string =>
  source.slice(0, from) + text + source.slice(to)

/** The blocks inside of the one at a path; of the body for `''`. */
export const childrenOf = (document: BlockDocument, parent: string): readonly Block[] =>
  (parent === '' ? document.body : blockAt(document, parent))?.children ?? []

/** The value of an attribute as people read it; `''` when it is missing. */
export function attributeValue(block: Block, name: string): string {
  const found = block.attributes.find((one) => one.name === name)
  return found === undefined ? '' : decoded(found.value)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&'
}
const decoded = (text: string) =>
  text.replace(/&(?:quot|#39|apos|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)

/** A value with quotes around it. A slot may hold quotes of one kind: the other kind is then around it. */
function quoted(value: string): string {
  const safe = value.replace(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;')
  if (!safe.includes('"')) return `"${safe}"`
  return safe.includes("'") ? `"${safe.replaceAll('"', '&quot;')}"` : `'${safe}'`
}

/** Sets an attribute; `''` takes it away. */
export function setAttribute(
  { source }: BlockDocument,
  block: Block,
  { name, value }: { readonly name: string; readonly value: string }
): string {
  const found = block.attributes.find((one) => one.name === name)
  if (found === undefined) {
    const at = block.attributes.at(-1)?.to ?? block.from + 1 + block.tag.length
    return value === ''
      ? source
      : spliced(source, { from: at, to: at }, ` ${name}=${quoted(value)}`)
  }
  if (value === '') return spliced(source, found, '')
  if (decoded(found.value) === value) return source
  return spliced(
    source,
    found,
    `${/^\s+/.exec(source.slice(found.from))?.[0]}${name}=${quoted(value)}`
  )
}

/** Most that a column is wide, in pixels. */
const COLUMN_WIDTH = 550

/** Puts a picture into an image block; it is never shown larger than it is. */
export function withPicture(
  document: BlockDocument,
  path: string,
  { url, width }: { readonly url: string; readonly width: number }
): Edited {
  const { source } = document
  const block = blockAt(document, path)
  if (block === undefined) return { source, path }
  const next = readBlocks(setAttribute(document, block, { name: 'src', value: url }))
  const value = width < COLUMN_WIDTH ? `${width}px` : ''
  return {
    source: setAttribute(next, blockAt(next, path) ?? block, { name: 'width', value }),
    path
  }
}

/** The line break and indentation inside the tags, which are not part of the text. */
function innerRange(source: string, { from, to }: Range): Range {
  const text = source.slice(from, to)
  const lead = /^[ \t]*\r?\n[ \t]*/.exec(text)?.[0].length ?? 0
  const tail = /\r?\n[ \t]*$/.exec(text.slice(lead))?.[0].length ?? 0
  return { from: from + lead, to: to - tail }
}

/** What may be written in a block: what is between its tags, or all of a block of code. */
export function textRange({ source }: BlockDocument, block: Block): Range | undefined {
  if (block.kind === 'code') return block
  return block.content === undefined ? undefined : innerRange(source, block.content)
}

/** The text that may be written in a block. */
export function textOf(document: BlockDocument, block: Block): string {
  const range = textRange(document, block)
  return range === undefined ? '' : document.source.slice(range.from, range.to)
}

/** Writes the text of a block. Its own closing tag cannot be part of it. */
export function setText(document: BlockDocument, block: Block, text: string): string {
  const { source } = document
  const { tag } = block
  const range = textRange(document, block)
  if (block.kind === 'code' && range !== undefined) return spliced(source, range, text)
  const safe = text.replaceAll(`</${tag}`, `&lt;/${tag}`)
  if (range !== undefined) return spliced(source, range, safe)
  return safe === '' ? source : opened(document, block, safe)
}

/** Opens a tag that closes itself, around a content. */
function opened({ source }: BlockDocument, block: Block, content: string): string {
  const slash = source.lastIndexOf('/', block.to - 1)
  const start = source.slice(block.from, slash).trimEnd()
  return spliced(source, block, `${start}>${content}</${block.tag}>`)
}

/** The line break and indentation before a place; `''` where other text is before it on the line. */
function indentBefore(source: string, at: number): string {
  return /\r?\n[ \t]*$/.exec(source.slice(0, at))?.[0] ?? ''
}

const indented = (text: string, indent: string): string => text.replaceAll('\n', indent || '\n')

/** Inserts a block behind the others of its parent, or at an index. The text may have several lines. */
export function insertBlock(
  document: BlockDocument,
  parent: string,
  { index, text }: { readonly index: number; readonly text: string }
): Edited {
  const { source } = document
  const holder = parent === '' ? document.body : blockAt(document, parent)
  if (holder === undefined) return { source, path: '' }
  const list = holder.children
  const path = childPath(parent, index)
  const before = list[index - 1]
  const after = list[index]
  if (before !== undefined) {
    const gap = indentBefore(source, before.from)
    const at = { from: before.to, to: before.to }
    return { source: spliced(source, at, gap + indented(text, gap)), path }
  }
  if (after !== undefined) {
    const gap = indentBefore(source, after.from)
    const at = { from: after.from, to: after.from }
    return { source: spliced(source, at, indented(text, gap) + gap), path }
  }
  const outside = indentBefore(source, holder.from) || '\n'
  const gap = `${outside}  `
  const content = gap + indented(text, gap) + outside
  const written =
    holder.content === undefined
      ? opened(document, holder, content)
      : spliced(source, holder.content, content)
  return { source: written, path }
}

/** A block with the white space before it. */
function withGap(source: string, { from, to }: Range): Range {
  return { from: from - indentBefore(source, from).length, to }
}

/** Deletes a block. The next one is selected, else the one before, else the parent. */
export function removeBlock(document: BlockDocument, path: string): Edited {
  const { source } = document
  const block = blockAt(document, path)
  if (block === undefined) return { source, path: '' }
  const parent = parentOf(path)
  const left = childrenOf(document, parent).length - 1
  const next = left === 0 ? parent : childPath(parent, Math.min(indexOf(path), left - 1))
  return { source: spliced(source, withGap(source, block), ''), path: next }
}

/** Copies a block behind itself. */
export function duplicateBlock(document: BlockDocument, path: string): Edited {
  const { source } = document
  const block = blockAt(document, path)
  if (block === undefined) return { source, path: '' }
  const copy = indentBefore(source, block.from) + source.slice(block.from, block.to)
  const at = { from: block.to, to: block.to }
  return { source: spliced(source, at, copy), path: childPath(parentOf(path), indexOf(path) + 1) }
}

/** Moves a block among its siblings; beyond them, into the column beside. The same source when it cannot move. */
export function moveBlock(document: BlockDocument, path: string, by: -1 | 1): Edited {
  const { source } = document
  const parent = parentOf(path)
  const list = childrenOf(document, parent)
  const index = indexOf(path)
  const [block, other] = [list[index], list[index + by]]
  if (block === undefined) return { source, path }
  if (other === undefined) return movedOver(document, path, by)
  const [first, second] = by === 1 ? [block, other] : [other, block]
  const text =
    source.slice(second.from, second.to) +
    source.slice(first.to, second.from) +
    source.slice(first.from, first.to)
  const range = { from: first.from, to: second.to }
  return { source: spliced(source, range, text), path: childPath(parent, index + by) }
}

/** A place among the blocks of a parent: `0.1` is before its second block. */
export const placeOf = (place: string): { readonly parent: string; readonly index: number } => ({
  parent: parentOf(place),
  index: indexOf(place)
})

/** Moves a block to a place. The same source when it is there already. */
export function moveBlockTo(document: BlockDocument, path: string, place: string): Edited {
  const { source } = document
  const block = blockAt(document, path)
  const { parent, index } = placeOf(place)
  const isThere =
    parent === parentOf(path) && (index === indexOf(path) || index === indexOf(path) + 1)
  if (block === undefined || isThere || `${place}.`.startsWith(`${path}.`)) return { source, path }
  const text = source.slice(block.from, block.to)
  const marked = insertBlock(document, parent, { index, text: PLACE }).source
  const gone = withGap(source, block)
  const shift = marked.indexOf(PLACE) < gone.from ? marked.length - source.length : 0
  const range = { from: gone.from + shift, to: gone.to + shift }
  const left = spliced(marked, range, '')
  const moved = left.replace(PLACE, () => text)
  const at = left.indexOf(PLACE)
  const found = allBlocks(readBlocks(moved)).find((one) => one.block.from === at)
  return { source: moved, path: found?.path ?? '' }
}

function movedOver(document: BlockDocument, path: string, by: -1 | 1): Edited {
  const { source } = document
  const parent = parentOf(path)
  const isColumn = ({ block }: PlacedBlock) => block.kind === 'column'
  const columns = allBlocks(document).filter(isColumn)
  const at = columns.findIndex((one) => one.path === parent)
  const target = columns[at + by]
  const block = blockAt(document, path)
  if (at === -1 || target === undefined || block === undefined) return { source, path }
  const text = source.slice(block.from, block.to)
  const without = readBlocks(removeBlock(document, path).source)
  const index = by === 1 ? 0 : childrenOf(without, target.path).length
  // Lines keep their indentation: only the first one is put at its place.
  return insertAsIs(without, target.path, { index, text })
}

/** Inserts a text without changing the indentation of its lines. */
function insertAsIs(
  document: BlockDocument,
  parent: string,
  { index, text }: { readonly index: number; readonly text: string }
): Edited {
  const placed = insertBlock(document, parent, { index, text: PLACE })
  return { ...placed, source: placed.source.replace(PLACE, () => text) }
}

/** Takes the place of a text while it is inserted. */
const PLACE = '\uE001'
