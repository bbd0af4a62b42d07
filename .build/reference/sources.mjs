// Reads exported declarations of TypeScript sources through the compiler's own API.
// It is marked unstable: when it changes, this file and nothing else changes with it.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API, NodeBuilderFlags, SymbolFlags } from 'typescript/unstable/sync'

const NO_PRIVATE = new Set([SyntaxKind.PrivateKeyword])
const WITH_BODY = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor
])

/**
 * Opens the sources of a package. `exportsOf(file)` answers `{ name, doc, file, print, source, members }` for each
 * export of a module: `print()` is its declaration without comments, bodies and private members, `source()` its
 * text, `members()` the `{ name, type, doc }` of an interface. Call `close`.
 */
export function openSources(folder) {
  const api = new API({ cwd: folder })
  const readers = new Map()
  const readerFor = (file) => {
    const config = nearestConfig(folder, file)
    if (!readers.has(config)) {
      const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
      readers.set(config, projectReader(project))
    }
    return readers.get(config)
  }
  return {
    exportsOf: (file) => readerFor(file)(join(folder, file)),
    close: () => api.close()
  }
}

function nearestConfig(folder, file) {
  const config = join(folder, dirname(file), 'tsconfig.json')
  return existsSync(config) ? config : nearestConfig(folder, dirname(file))
}

function projectReader({ checker, emitter, program }) {
  const print = printer({ checker, emitter })
  const memberOf = ({ name, type }) => ({
    name: name.text,
    type: emitter.printNode(type),
    doc: checker.getSymbolAtLocation(name).getDocumentationComment(checker)
  })
  return (file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file))
    return checker.getExportsOfModule(module).map((exported) => {
      const isAlias = (exported.flags & SymbolFlags.Alias) !== 0
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
      const nodes = symbol.declarations.map((handle) => handle.resolve())
      return {
        name: exported.name,
        doc: symbol.getDocumentationComment(checker),
        file: nodes[0]?.getSourceFile().fileName ?? '',
        print: () => print(nodes, symbol),
        source: () => nodes.map(sourceOf).join('\n\n'),
        members: () => nodes.flatMap(({ members = [] }) => members.map(memberOf))
      }
    })
  }
}

/** A declaration as it is written, doc comments included; the first line of its file is not one. */
function sourceOf(node) {
  const text = node.getSourceFile().text.slice(node.pos, node.end).trim()
  return text.replace(/^(\/\/.*\s+)+/, '')
}

/** Prints declarations of one project. */
function printer({ checker, emitter }) {
  const text = (node) => emitter.printNode(node).trim()

  /** A type that the source leaves to the compiler, spread over lines. */
  function inferred(symbol) {
    const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.MultilineObjectLiterals
    return text(checker.typeToTypeNode(checker.getTypeOfSymbol(symbol), undefined, flags))
  }

  /** What was printed, without the body at its end. */
  function withoutBody(node) {
    const whole = text(node)
    return node.body === undefined
      ? whole
      : whole.slice(0, whole.length - text(node.body).length).trim()
  }

  function member(node) {
    if (node.name?.kind === SyntaxKind.PrivateIdentifier) return []
    if (node.modifiers?.some(({ kind }) => NO_PRIVATE.has(kind))) return []
    if (node.kind === SyntaxKind.ClassStaticBlockDeclaration) return []
    if (WITH_BODY.has(node.kind)) return [`${withoutBody(node)};`.replace(/;;$/, ';')]
    if (node.initializer === undefined) return [text(node)]
    const [declared] = text(node).split(/ = /, 1)
    const type =
      node.type === undefined ? `: ${inferred(checker.getSymbolAtLocation(node.name))}` : ''
    return [`${declared}${type};`]
  }

  function printClass(node) {
    const [head] = text(node).split('{', 1)
    const members = node.members.flatMap(member)
    return `${head}{\n${members.map((line) => `    ${line.replaceAll('\n', '\n    ')}`).join('\n')}\n}`
  }

  function printOne(node, symbol) {
    if (node.kind === SyntaxKind.ClassDeclaration) return printClass(node)
    if (node.kind === SyntaxKind.FunctionDeclaration)
      return `${withoutBody(node)};`.replace(/;;$/, ';')
    if (node.kind === SyntaxKind.VariableDeclaration) {
      const type = node.type === undefined ? inferred(symbol) : text(node.type)
      return `export const ${symbol.name}: ${type};`
    }
    return text(node)
  }

  /** The implementation of overloads is not part of the surface. */
  return (nodes, symbol) => {
    const overloads = nodes.filter(
      (node) => node.kind === SyntaxKind.FunctionDeclaration && node.body === undefined
    )
    const printed = overloads.length > 0 ? overloads : nodes
    return printed.map((node) => printOne(node, symbol)).join('\n')
  }
}
