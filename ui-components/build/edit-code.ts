// Edits a module by the nodes of its syntax tree. Pure.
import { parseAst } from 'rolldown/parseAst'

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A node of the tree, as far as it is known before its type is. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Applies the edits that `editsOf` wants for each node. Edits must not overlap. */
export function editCode(code: string, editsOf: (node: SyntaxNode) => readonly Edit[]): string {
  const edits: Edit[] = []
  visit(parseAst(code), (node) => edits.push(...editsOf(node)))
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
}

function visit(value: unknown, seen: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, seen)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') seen(value as SyntaxNode)
  for (const child of Object.values(value)) visit(child, seen)
}
