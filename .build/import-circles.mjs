// Finds circles of imports among the modules of the workspace, type imports included. Pure.
import { dirname, join } from 'node:path/posix'

const SPECIFIERS =
  /^(?:import|export)\b[^'\n]*\bfrom '([^'\n]+)'|^\} from '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm

/**
 * Shortest circle of each group of modules that import one another, as a path that ends where it
 * begins.
 *
 * @param modules Path of each module, with its text.
 * @param packages Name, folder and `exports` of each package of the workspace.
 */
export function importCircles(modules, packages) {
  return circlesOf(importGraph(modules, packages))
}

/** What each module imports of the others: path → paths. */
export function importGraph(modules, packages) {
  const paths = new Set(modules.map(({ path }) => path))
  return new Map(
    modules.map(({ path, text }) => [path, importsOf({ path, text }, paths, packages)])
  )
}

/** Shortest circle of each group of a graph, a map from each name to the names it leads to. */
export function circlesOf(graph) {
  return circleGroups(graph).map((group) => shortestCircle(graph, new Set(group)))
}

function importsOf({ path, text }, paths, packages) {
  const specifiers = [...text.matchAll(SPECIFIERS)].map((found) => found.slice(1).find(Boolean))
  const targets = specifiers.map((specifier) =>
    specifier.startsWith('.') ? join(dirname(path), specifier) : sourceOf(specifier, packages)
  )
  return [...new Set(targets)]
    .map((target) => (paths.has(target) ? target : target?.replace(/\.js$/, '.ts')))
    .filter((target) => paths.has(target))
}

/** The source of what a package of the workspace exports under a name. */
function sourceOf(specifier, packages) {
  const found = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (found === undefined) return undefined
  const subpath = `.${specifier.slice(found.name.length)}`
  const output = outputOf(found.exports ?? {}, subpath)
  return output && join(found.folder, output.replace('/dist/', '/').replace(/\.js$/, '.ts'))
}

function outputOf(exports, subpath) {
  for (const [pattern, target] of Object.entries(exports)) {
    const output = typeof target === 'string' ? target : target.default
    if (pattern === subpath) return output
    const [start, end] = pattern.split('*')
    if (end === undefined || !subpath.startsWith(start) || !subpath.endsWith(end)) continue
    return output.replace('*', subpath.slice(start.length, subpath.length - end.length))
  }
  return undefined
}

/** Strongly connected groups of two or more modules, and modules that import themselves (Tarjan). */
function circleGroups(graph) {
  const places = new Map()
  const lowest = new Map()
  const open = []
  const groups = []
  const visit = (module) => {
    places.set(module, places.size)
    lowest.set(module, places.get(module))
    open.push(module)
    for (const imported of graph.get(module)) {
      if (!places.has(imported)) visit(imported)
      if (open.includes(imported)) {
        lowest.set(module, Math.min(lowest.get(module), lowest.get(imported)))
      }
    }
    if (lowest.get(module) !== places.get(module)) return
    const group = open.splice(open.indexOf(module))
    if (group.length > 1 || graph.get(module).includes(module)) groups.push(group)
  }
  for (const module of graph.keys()) if (!places.has(module)) visit(module)
  return groups
}

function shortestCircle(graph, group) {
  const circles = [...group].map((start) => circleFrom(graph, group, start))
  return circles.reduce((best, circle) => (circle.length < best.length ? circle : best))
}

/** Breadth first, from a module back to itself. */
function circleFrom(graph, group, start) {
  const paths = [[start]]
  const seen = new Set()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1))) {
      if (next === start) return [...path, start]
      if (!group.has(next) || seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  throw new Error(`No circle leads back to ${start}.`)
}
