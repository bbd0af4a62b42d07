// Which values the slots of a template print. Pure.
import { parseProgram } from './parse-slots.ts'

type Node = hbs.AST.Node
/** Inside these a path means something else. */
const SCOPED = new Set(['each', 'with'])
const CONDITIONS = new Set(['if', 'unless'])

/**
 * The paths that a source prints outside `each` and `with`, as `vars.code`, each once. A path that an
 * enclosing `if` asks for may be missing, and is left out. Empty for a source that cannot be parsed.
 */
export function referencedPaths(source: string): readonly string[] {
  const found = new Set<string>()
  try {
    collect(parseProgram(source).body, new Set(), found)
  } catch {
    return []
  }
  return [...found]
}

function collect(nodes: readonly Node[], asked: ReadonlySet<string>, found: Set<string>): void {
  for (const node of nodes) {
    if (node.type === 'MustacheStatement') {
      const { path, params } = node as hbs.AST.MustacheStatement
      const values = params.length > 0 ? params : [path]
      for (const value of values.map(pathOf)) {
        if (value !== undefined && !asked.has(value)) found.add(value)
      }
    } else if (node.type === 'BlockStatement') {
      collectBlock(node as hbs.AST.BlockStatement, asked, found)
    }
  }
}

function collectBlock(
  { path, params, program, inverse }: hbs.AST.BlockStatement,
  asked: ReadonlySet<string>,
  found: Set<string>
): void {
  const name = pathOf(path) ?? ''
  if (SCOPED.has(name)) return
  const conditions = (CONDITIONS.has(name) ? params : [path]).map(pathOf)
  const inner = new Set([...asked, ...conditions.filter((one) => one !== undefined)])
  collect(program?.body ?? [], inner, found)
  collect(inverse?.body ?? [], inner, found)
}

function pathOf(node: Node): string | undefined {
  if (node.type !== 'PathExpression') return undefined
  const { original, data } = node as hbs.AST.PathExpression
  return data ? undefined : original.replace(/^(this[./]|@root\.)/, '')
}
