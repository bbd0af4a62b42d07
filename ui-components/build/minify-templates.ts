// Takes the blanks out of css and html template literals. Pure.
import { parseAst } from 'rollup/parseAst'

const SHORTEN: Readonly<Record<string, (text: string) => string>> = {
  css: shortCss,
  html: shortHtml
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Shortens the css and html templates of a module; all other code stays as it is. */
export function minifyTemplates(code: string): string {
  const edits: Edit[] = []
  collect(parseAst(code), code, edits)
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, text: short }) => text.slice(0, start) + short + text.slice(end),
      code
    )
}

/** Visits every node of the tree, whatever its kind. */
function collect(node: unknown, code: string, edits: Edit[]): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, code, edits)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if (isTagged(node)) {
    const shorten = SHORTEN[node.tag.name ?? '']
    for (const { start, end } of shorten === undefined ? [] : node.quasi.quasis) {
      edits.push({ start, end, text: shorten?.(code.slice(start, end)) ?? '' })
    }
  }
  for (const value of Object.values(node)) collect(value, code, edits)
}

interface Tagged {
  readonly tag: { readonly name?: string }
  readonly quasi: { readonly quasis: readonly { readonly start: number; readonly end: number }[] }
}

function isTagged(node: object): node is Tagged {
  return 'type' in node && node.type === 'TaggedTemplateExpression'
}

function shortHtml(text: string): string {
  return text.replace(/\s*\n\s*/g, '\n')
}

function shortCss(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/;\}/g, '}')
    .replace(/([\w-]): /g, '$1:')
}
