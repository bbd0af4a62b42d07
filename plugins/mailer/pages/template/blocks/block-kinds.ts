// What can be added as a block, where it goes, and the attributes that its panel asks for. Pure.
import {
  allBlocks,
  blockAt,
  childrenOf,
  type Edited,
  insertBlock,
  parentOf,
  placeOf,
  textOf
} from './edit-blocks.ts'
import type { BlockDocument, BlockKind } from './read-blocks.ts'

/** A field of the panel, named as the attribute. */
export interface Field {
  readonly name: string
  /** `choice` offers `options`; the others are written. */
  readonly type: 'text' | 'colour' | 'choice'
  readonly options?: readonly string[]
  /** An example, shown while the field is empty. */
  readonly example?: string
}

const colour = (name: string): Field => ({ name, type: 'colour', example: '#0b6e8f' })
const text = (name: string, example: string): Field => ({ name, type: 'text', example })
const choice = (name: string, ...options: readonly string[]): Field => ({
  name,
  options,
  type: 'choice'
})
const align = choice('align', 'left', 'center', 'right')
const padding = text('padding', '10px 25px')
const href = text('href', 'https://example.com/')
const background = colour('background-color')

const FIELDS: Readonly<Record<BlockKind, readonly Field[]>> = {
  body: [background, text('width', '600px')],
  wrapper: [background, padding],
  section: [background, padding, text('background-url', 'https://example.com/photo.png')],
  group: [background, text('width', '50%')],
  column: [
    ...[text('width', '50%'), choice('vertical-align', 'top', 'middle', 'bottom')],
    ...[background, padding]
  ],
  text: [align, colour('color'), text('font-size', '13px'), text('line-height', '1.5'), padding],
  image: [
    ...[text('src', 'https://example.com/photo.png'), text('alt', ''), href],
    ...[text('width', '300px'), align, padding]
  ],
  button: [
    ...[href, background, colour('color'), text('font-size', '13px')],
    ...[text('border-radius', '3px'), align, padding]
  ],
  divider: [
    ...[colour('border-color'), text('border-width', '4px')],
    ...[choice('border-style', 'solid', 'dashed', 'dotted'), padding]
  ],
  spacer: [text('height', '20px')],
  social: [choice('mode', 'horizontal', 'vertical'), text('icon-size', '20px'), align, padding],
  network: [
    choice('name', 'facebook', 'github', 'instagram', 'linkedin', 'pinterest', 'x', 'youtube'),
    href
  ],
  raw: [],
  code: []
}

/** The attributes that a panel asks for. */
export const fieldsOf = (kind: BlockKind): readonly Field[] => FIELDS[kind]

const COLUMN = '<mj-column>\n  </mj-column>'
const section = (count: number) =>
  `<mj-section>\n  ${Array.from({ length: count }, () => COLUMN).join('\n  ')}\n</mj-section>`

/** What can be added, as it is written. */
const NEW = {
  text: '<mj-text>[Your text]</mj-text>',
  image: '<mj-image src="https://example.com/photo.png" />',
  button:
    '<mj-button href="https://example.com/" background-color="{{brand.accent}}">[Your button]</mj-button>',
  divider: '<mj-divider border-width="1px" border-color="#d6dae1" />',
  spacer: '<mj-spacer height="20px" />',
  social:
    '<mj-social>\n  <mj-social-element name="linkedin" href="https://example.com/"></mj-social-element>\n</mj-social>',
  network: '<mj-social-element name="x" href="https://example.com/"></mj-social-element>',
  raw: '<mj-raw>\n  <!-- HTML -->\n</mj-raw>',
  column: '<mj-column>\n</mj-column>',
  section: section(1),
  section2: section(2),
  section3: section(3)
} as const

/** Something that can be added. `section2` and `section3` have so many columns. */
export type NewBlock = keyof typeof NEW

const HOLDERS: Partial<Readonly<Record<BlockKind, readonly BlockKind[]>>> = {
  wrapper: ['body'],
  section: ['body', 'wrapper'],
  group: ['section'],
  column: ['section', 'group'],
  network: ['social']
}

/** Whether a block of a kind belongs into a parent. Code goes anywhere. */
export const fitsInto = (kind: BlockKind, parent: BlockKind): boolean =>
  kind === 'code' || (HOLDERS[kind] ?? ['column']).includes(parent)

const kindOf = (added: NewBlock): BlockKind =>
  added === 'section2' || added === 'section3' ? 'section' : added

/** The kind of the block that a place is in. */
export const holderOf = (document: BlockDocument, place: string): BlockKind =>
  blockAt(document, parentOf(place))?.kind ?? 'body'

/** What can be added in a place. */
export function newBlocksAt(document: BlockDocument, place: string): readonly NewBlock[] {
  const holder = holderOf(document, place)
  return (Object.keys(NEW) as NewBlock[]).filter((kind) => fitsInto(kindOf(kind), holder))
}

/** Adds a block in a place. */
export const addBlockAt = (document: BlockDocument, place: string, kind: NewBlock): Edited => {
  const { parent, index } = placeOf(place)
  return insertBlock(document, parent, { index, text: NEW[kind] })
}

/** What can be added while a block is selected, in the order in which it is offered. */
export function newBlocks(document: BlockDocument, path: string): readonly NewBlock[] {
  const all = Object.keys(NEW) as NewBlock[]
  return all.filter(
    (kind) => kind !== 'network' || around(document, path, ['social']) !== undefined
  )
}

/** Adds a block where it belongs: behind the selected one, or into it. */
export function addBlock(document: BlockDocument, path: string, kind: NewBlock): Edited {
  const text = NEW[kind]
  const place = placeFor(document, path, kind)
  if (place !== undefined) return insertBlock(document, place.parent, { ...place, text })
  // There is no column yet: it is added with the block.
  const inside =
    kind === 'column' ? text : `<mj-column>\n  ${text.replaceAll('\n', '\n  ')}\n</mj-column>`
  const whole = `<mj-section>\n  ${inside.replaceAll('\n', '\n  ')}\n</mj-section>`
  const added = insertBlock(document, '', { index: endOf(document, ''), text: whole })
  return { ...added, path: kind === 'column' ? `${added.path}.0` : `${added.path}.0.0` }
}

/** Behind the last block of a parent; the footer of the sender stays the last of all. */
function endOf(document: BlockDocument, parent: string): number {
  const blocks = childrenOf(document, parent)
  const last = blocks.at(-1)
  const isFooter = last !== undefined && /^\{\{>\s*brandFooter\b/.test(textOf(document, last))
  return blocks.length - (isFooter ? 1 : 0)
}

interface Place {
  readonly parent: string
  readonly index: number
}

function placeFor(document: BlockDocument, path: string, kind: NewBlock): Place | undefined {
  if (kind.startsWith('section')) return inside(document, path, ['body', 'wrapper'])
  if (kind === 'network') return inside(document, path, ['social'])
  if (kind === 'column') return inside(document, path, ['section', 'group'])
  return inside(document, path, ['column'])
}

/** In the nearest block of the kinds, behind what is selected; else at the end of the last block of the kinds. */
function inside(
  document: BlockDocument,
  path: string,
  kinds: readonly BlockKind[]
): Place | undefined {
  const near = around(document, path, kinds)
  if (near !== undefined && near !== path) {
    const behind = path.slice(near === '' ? 0 : near.length + 1).split('.')[0]
    return { parent: near, index: Number(behind) + 1 }
  }
  const within = (parent: string) => ({ parent, index: endOf(document, parent) })
  if (near !== undefined) return within(near)
  const last = allBlocks(document).findLast(
    ({ path: at, block }) => kinds.includes(block.kind) && (path === '' || isWithin(at, path))
  )
  const any = last ?? allBlocks(document).findLast(({ block }) => kinds.includes(block.kind))
  return any === undefined ? undefined : within(any.path)
}

const isWithin = (path: string, parent: string): boolean => path.startsWith(`${parent}.`)

/** The path of the nearest block of the kinds, the selected one included; `''` for the body. */
function around(
  document: BlockDocument,
  path: string,
  kinds: readonly BlockKind[]
): string | undefined {
  for (let at = path; at !== ''; at = parentOf(at)) {
    const block = blockAt(document, at)
    if (block !== undefined && kinds.includes(block.kind)) return at
  }
  return kinds.includes('body') ? '' : undefined
}

/** A piece of a text: words, or the inside of a slot. */
export interface Piece {
  readonly text: string
  readonly isSlot: boolean
}

const MOST = 140

/** A text without its tags, in one line, slots apart. */
export function piecesOf(source: string): readonly Piece[] {
  const plain = source
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const short = plain.length > MOST ? `${plain.slice(0, MOST)}…` : plain
  return short
    .split(/(\{\{[^{}]*\}\})/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.startsWith('{{') && piece.endsWith('}}')
        ? { text: piece.slice(2, -2).trim(), isSlot: true }
        : { text: piece, isSlot: false }
    )
}
