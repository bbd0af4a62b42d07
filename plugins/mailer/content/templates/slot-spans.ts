// Where the slots of a template are (`{{…}}`), found without reading what is inside.

/** A slot: from its first brace to behind its last one. */
export interface SlotSpan {
  readonly start: number
  readonly end: number
}

/** Stands for one character of a slot while the text around it is read as HTML. */
export const MASK = '\uE000'

/** Slots in order. A slot that is not closed ends the list: the parser refuses it by itself. */
export function slotSpans(source: string): SlotSpan[] {
  const spans: SlotSpan[] = []
  for (let start = source.indexOf('{{'); start >= 0; ) {
    const end = endOfSlot(source, start)
    if (end === undefined) break
    spans.push({ start, end })
    start = source.indexOf('{{', end)
  }
  return spans
}

/** The source with every slot replaced by `replacement`. */
export function replaceSlots(source: string, replacement: (slot: string) => string): string {
  const parts: string[] = []
  let last = 0
  for (const { start, end } of slotSpans(source)) {
    parts.push(source.slice(last, start), replacement(source.slice(start, end)))
    last = end
  }
  return parts.concat(source.slice(last)).join('')
}

/** The source with every slot masked, character by character: positions stay as they are. */
export const maskSlots = (source: string): string =>
  replaceSlots(source, ({ length }) => MASK.repeat(length))

function endOfSlot(source: string, start: number): number | undefined {
  const inner = source.startsWith('{{~', start) ? start + 3 : start + 2
  if (source.startsWith('!', inner)) return endOfComment(source, inner)
  const ends = /["'[]|\}\}/g
  ends.lastIndex = inner
  for (let found = ends.exec(source); found !== null; found = ends.exec(source)) {
    const [sign] = found
    if (sign === '}}') return ends.lastIndex + (hasThirdBrace(source, start, found.index) ? 1 : 0)
    const close = closeOf(source, sign, ends.lastIndex)
    if (close === undefined) return undefined
    ends.lastIndex = close
  }
  return undefined
}

const hasThirdBrace = (source: string, start: number, close: number) =>
  source.startsWith('{{{', start) && source.startsWith('}}}', close)

function endOfComment(source: string, inner: number): number | undefined {
  const close = source.startsWith('!--', inner) ? /--~?\}\}/g : /\}\}/g
  close.lastIndex = inner + 1
  return close.exec(source) === null ? undefined : close.lastIndex
}

/** Behind the end of a quoted text or a bracketed name. */
function closeOf(source: string, sign: string, from: number): number | undefined {
  const close = sign === '[' ? ']' : sign
  for (let at = source.indexOf(close, from); at >= 0; at = source.indexOf(close, at + 1)) {
    if (close === ']' || source[at - 1] !== '\\') return at + 1
  }
  return undefined
}
