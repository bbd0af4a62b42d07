// Undoes what TypeScript wraps around a computed import. Pure.
import { type Edit, editCode, type SyntaxNode } from './edit-code.ts'

/** TypeScript's function; the minifier inlines it into a call that no browser takes. */
const WRAPPER = '__rewriteRelativeImportExtension'

interface Call extends SyntaxNode {
  readonly callee: { readonly name?: string }
  readonly arguments: readonly SyntaxNode[]
}

/** `import(__rewrite…(address))` becomes `import(address)`. */
export function plainImports(code: string): string {
  if (!code.includes(WRAPPER)) return code
  return editCode(code, (node): readonly Edit[] => {
    if (node.type !== 'CallExpression') return []
    const { callee, arguments: given, start, end } = node as Call
    const [address] = given
    if (callee.name !== WRAPPER || address === undefined) return []
    return [{ start, end, text: code.slice(address.start, address.end) }]
  })
}
