// Faults in the markup that an author wrote: tags that are not closed, comments without an end. Pure.
import { Tokenizer } from 'htmlparser2'

/** What is wrong with the markup. */
export interface MarkupFaults {
  /** Names of tags that are opened and never closed, each once. */
  readonly unclosed: readonly string[]
  /** Names of tags that are closed and were never opened, each once. */
  readonly unopened: readonly string[]
  readonly hasOpenComment: boolean
  /** How many tags are open at the same time at most, without those that end by themselves. */
  readonly depth: number
}

const VOID = new Set(
  'area base basefont br col embed hr img input link meta param source track wbr frame keygen'.split(
    ' '
  )
)
/** HTML lets their end tag be left out. */
const OPTIONAL_END = new Set(
  'html head body p li dt dd option optgroup tr td th thead tbody tfoot colgroup rt rp'.split(' ')
)
/** A tag of the same name, or of a neighbour, ends them. */
const ENDS_BY_ITSELF = new Set(
  'p li dt dd option optgroup tr td th thead tbody tfoot rt rp'.split(' ')
)
const nothing = () => {}

/** Tags are counted as written: a parser mends them silently. Elements of MSO comments are left out. */
export function readMarkup(html: string): MarkupFaults {
  const open: string[] = []
  // So that a tag which was never opened is not looked for in a long list.
  const counts = new Map<string, number>()
  const unclosed = new Set<string>()
  const unopened = new Set<string>()
  let nested = 0
  let depth = 0
  let current = ''
  let foreign = 0
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const push = () => {
    if (current === 'svg' || current === 'math') foreign += 1
    if (VOID.has(current)) return
    open.push(current)
    if (!ENDS_BY_ITSELF.has(current)) nested += 1
    depth = Math.max(depth, nested)
    counts.set(current, (counts.get(current) ?? 0) + 1)
  }
  const close = (name: string) => {
    if ((counts.get(name) ?? 0) === 0) {
      if (!VOID.has(name) && name !== 'p') unopened.add(name)
      return
    }
    const ended = open.splice(open.lastIndexOf(name))
    for (const [index, one] of ended.entries()) {
      counts.set(one, (counts.get(one) ?? 0) - 1)
      if (!ENDS_BY_ITSELF.has(one)) nested -= 1
      if (index > 0 && !OPTIONAL_END.has(one)) unclosed.add(one)
    }
    if (name === 'svg' || name === 'math') foreign -= 1
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      onend: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
      onopentagname: (start, end) => {
        current = nameAt(start, end)
      },
      onopentagend: push,
      onselfclosingtag: () => {
        // In HTML the slash means nothing, except for elements of SVG.
        if (foreign === 0) push()
      },
      onclosetag: (start, end) => close(nameAt(start, end)),
      isInForeignContext: () => foreign > 0
    }
  )
  tokenizer.write(html)
  tokenizer.end()
  for (const one of open) if (!OPTIONAL_END.has(one)) unclosed.add(one)
  return {
    unclosed: [...unclosed],
    unopened: [...unopened],
    hasOpenComment: hasOpenComment(html),
    depth
  }
}

function hasOpenComment(html: string): boolean {
  const start = html.lastIndexOf('<!--')
  return start >= 0 && html.indexOf('-->', start + 2) < 0
}
