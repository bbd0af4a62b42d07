// Takes the blanks out of css and html template literals. Pure.
import { type Edit, editCode, type SyntaxNode } from './edit-code.ts'

const SHORTEN: Readonly<Record<string, (text: string) => string>> = {
  css: shortCss,
  html: shortHtml
}

interface TaggedTemplate extends SyntaxNode {
  readonly tag: { readonly name?: string }
  readonly quasi: { readonly quasis: readonly SyntaxNode[] }
}

/** Shortens the css and html templates of a module; all other code stays as it is. */
export function minifyTemplates(code: string): string {
  return editCode(code, (node): readonly Edit[] => {
    if (node.type !== 'TaggedTemplateExpression') return []
    const { tag, quasi } = node as TaggedTemplate
    const shorten = SHORTEN[tag.name ?? '']
    if (shorten === undefined) return []
    return quasi.quasis.map(({ start, end }) => ({
      start,
      end,
      text: shorten(code.slice(start, end))
    }))
  })
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
