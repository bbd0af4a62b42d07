// The blocks of a mail as nested lists: one button for each, columns side by side, the selected text open.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { drawShape } from '../../draw-shape.ts'
import { type Piece, piecesOf } from './block-kinds.ts'
import { attributeValue, type PlacedBlock, textOf } from './edit-blocks.ts'
import type { Block, BlockDocument, BlockKind } from './read-blocks.ts'

/** What the list shows and does. */
export interface BlockList {
  readonly document: BlockDocument
  readonly selected: string
  /** How many findings are in each block. */
  readonly faults: ReadonlyMap<string, number>
  /** What was found in a block, drawn. */
  notes(path: string): readonly TemplateResult[]
  /** Names that can be inserted into a text. */
  readonly names: readonly string[]
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onSelect(path: string): void
  /** Asks what to add in a place. */
  onPlace(place: string): void
  onText(text: string): void
}

const LINES = 'M2.500 4h11M2.500 8h11M2.500 12h7'
const BOX = 'M2 3.500h12v9H2z'
const SHAPES: Readonly<Record<BlockKind, string>> = {
  body: BOX,
  wrapper: BOX,
  section: BOX,
  group: 'M2 3.500h12v9H2zM8 3.500v9',
  column: 'M5 2.500h6v11H5z',
  text: LINES,
  image: 'M2 3.500h12v9H2zM2.500 11.500l3.500-4 3 3 2-2 2.500 3',
  button: 'M4 5h8a3 3 0 0 1 0 6H4a3 3 0 0 1 0-6z',
  divider: 'M2 8h12',
  spacer: 'M8 2.500v11M5.500 5 8 2.500 10.500 5M5.500 11 8 13.500l2.500-2.500',
  social: 'M4 8h8M4 8a1.500 1.500 0 1 0-.1 0M13 4.500 6 7.500M13 11.500 6 8.500',
  network: 'M9 3h4v4M13 3 7.500 8.500M11 9v4H3V5h4',
  raw: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500'
}
/** Kinds that hold blocks. */
const HOLDERS: ReadonlySet<BlockKind> = new Set(['wrapper', 'section', 'group', 'column', 'social'])
/** Kinds whose text is written in the list. */
const WRITTEN: ReadonlySet<BlockKind> = new Set(['text', 'button', 'raw', 'code', 'network'])

/** The list. */
export function blockList(list: BlockList): TemplateResult {
  const children = list.document.body?.children ?? []
  return html`<ul class="list" aria-label=${list.t('block.list')}>${items(list, children, '')}</ul>`
}

const items = (list: BlockList, blocks: readonly Block[], prefix: string) => [
  ...blocks.map((block, index) => [
    gap(list, `${prefix}${index}`),
    item(list, { path: `${prefix}${index}`, block })
  ]),
  gap(list, `${prefix}${blocks.length}`)
]

/** A place between blocks: something can be added or dropped in it. */
const gap = ({ t, onPlace }: BlockList, place: string) =>
  html`<li class="gap"><button data-place=${place} tabindex="-1" title=${t('block.addHere')} aria-label=${t('block.addHere')} @click=${() => onPlace(place)}><span>+</span></button></li>`

function item(list: BlockList, placed: PlacedBlock): TemplateResult {
  const { block, path } = placed
  const isSelected = path === list.selected
  const { kind, children } = block
  const isBeside = kind === 'section' || kind === 'group'
  return html`<li class="block ${kind} ${isSelected ? 'on' : ''}">
    ${pick(list, placed)} ${isSelected ? list.notes(path) : nothing} ${isSelected && WRITTEN.has(kind) ? writing(list, block) : nothing}
    ${HOLDERS.has(kind) ? html`<ul class=${isBeside ? 'beside' : ''}>${items(list, children, `${path}.`)}</ul>` : nothing}
  </li>`
}

function pick(list: BlockList, { block, path }: PlacedBlock): TemplateResult {
  const { t, selected, faults, document, onSelect } = list
  const { kind } = block
  const isFirst = selected === '' && path === '0'
  const count = faults.get(path) ?? 0
  return html`<button class="pick" data-path=${path} tabindex=${path === selected || isFirst ? 0 : -1}
    aria-current=${path === selected ? 'true' : nothing} @click=${() => onSelect(path)}>
    ${drawShape(SHAPES[kind])}<b>${t(`block.kind.${brandPart(document, block) ?? kind}`)}</b>
    <span class="sum">${summary(document, block, t('block.empty'))}</span>
    ${count === 0 ? nothing : html`<span class="tag bad">${icon('alert', 12)}<span class="words">${t('block.faults', { count })}</span></span>`}
  </button>`
}

/** What the look of the sender is written in place of. */
const brandPart = (document: BlockDocument, block: Block): string | undefined =>
  block.kind === 'code'
    ? /^\{\{>\s*(brandHeader|brandFooter)\s*\}\}$/.exec(textOf(document, block))?.[1]
    : undefined

function summary(document: BlockDocument, block: Block, empty: string): unknown {
  const value = (name: string) => attributeValue(block, name)
  switch (block.kind) {
    case 'text':
    case 'button':
      return chips(piecesOf(textOf(document, block)), empty)
    case 'image':
      return value('alt') || value('src')
    case 'spacer':
      return value('height')
    case 'network':
      return value('name')
    case 'column':
      return block.children.length === 0 ? empty : value('width')
    case 'raw':
    case 'code':
      return brandPart(document, block) !== undefined
        ? ''
        : html`<code>${textOf(document, block).slice(0, 80)}</code>`
    default:
      return ''
  }
}

const chips = (pieces: readonly Piece[], empty: string) =>
  pieces.length === 0
    ? empty
    : pieces.map(({ text, isSlot }) => (isSlot ? html`<span class="chip">${text}</span>` : text))

/** The open text of a block, with what can be done with the words that are selected in it. */
function writing(list: BlockList, block: Block): TemplateResult {
  const { t, document, names, onText } = list
  const isCode = block.kind === 'code' || block.kind === 'raw'
  const text = textOf(document, block)
  const fieldOf = (event: Event) =>
    (event.currentTarget as HTMLElement).closest('.writing')?.querySelector('textarea')
  const wrap = (event: Event, before: string, after: string) => {
    const field = fieldOf(event)
    if (field) wrapSelection(field, before, after)
  }
  const tool = (name: string, before: string, after: string) =>
    html`<button class="btn quiet" @click=${(event: Event) => wrap(event, before, after)}>${t(`block.${name}`)}</button>`
  const pickName = (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement
    wrap(event, `{{${select.value}}}`, '')
    select.value = ''
  }
  return html`<div class="writing">
    ${
      isCode
        ? nothing
        : html`<div class="row">
            ${tool('bold', '<b>', '</b>')} ${tool('italic', '<i>', '</i>')} ${block.kind === 'text' ? tool('link', '<a href="https://">', '</a>') : nothing}
            <select class="field" aria-label=${t('block.variable')} @change=${pickName}>
              <option value="">${t('block.variable')}</option>
              ${names.map((name) => html`<option value=${name}>${name}</option>`)}
            </select>
          </div>`
    }
    <textarea class="field ${isCode ? 'mono' : ''}" rows=${Math.min(14, text.split('\n').length + 1)} spellcheck=${isCode ? 'false' : 'true'}
      aria-label=${t(isCode ? 'block.source' : 'block.text')} .value=${text}
      @input=${(event: Event) => onText((event.target as HTMLTextAreaElement).value)}></textarea>
  </div>`
}

/** Writes around the selected words of a field, and selects them again. */
export function wrapSelection(field: HTMLTextAreaElement, before: string, after: string): void {
  const { selectionStart: from, selectionEnd: to, value } = field
  field.setRangeText(before + value.slice(from, to) + after, from, to, 'end')
  if (after !== '') field.setSelectionRange(from + before.length, to + before.length)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}
