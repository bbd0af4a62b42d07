// Finds folders of a package that import one another: folders are layers, so imports lead one way. Pure.
import { circlesOf, importGraph } from './import-circles.mjs'

/**
 * What is wrong with the folders, a sentence each: folders side by side that import one another, and entries of
 * `known` that can go. Files beside the folders (entries, tables, what assembles) belong to no folder.
 *
 * @param modules Path of each module, with its text.
 * @param packages Name, folder and `exports` of each package of the workspace.
 * @param known Imports between folders that wait to be mended, as `a/one imports a/two`.
 */
export function folderKnots(modules, packages, known = []) {
  const arrows = folderArrows(importGraph(modules, packages), packages)
  const waiting = new Set(known)
  const knots = circlesOf(folderGraph(arrows, waiting)).map(
    (circle) => `a knot of folders:\n  ${stepsOf(circle, arrows).join('\n  ')}`
  )
  return [...knots, ...known.filter((arrow) => !isNeeded(arrow, arrows, waiting)).map(isOver)]
}

const isOver = (arrow) =>
  `.build/known-folder-knots.json: "${arrow}" is in no knot: delete the entry`

/** `a/one imports a/two` → { from, to, example }, for folders side by side within a package. */
function folderArrows(imports, packages) {
  const arrows = new Map()
  for (const [path, targets] of imports) {
    for (const target of targets) {
      const [from, to] = foldersApart(path, target, packages)
      if (to === undefined || arrows.has(`${from} imports ${to}`)) continue
      arrows.set(`${from} imports ${to}`, { from, to, example: `${path} imports ${target}` })
    }
  }
  return arrows
}

/** The two folders at which the paths part; nothing when they part at a file or between packages. */
function foldersApart(path, target, packages) {
  const [own, others] = [path.split('/'), target.split('/')]
  const at = own.findIndex((part, index) => part !== others[index])
  if (at < 0 || at >= own.length - 1 || at >= others.length - 1) return []
  if (packageOf(path, packages) !== packageOf(target, packages)) return []
  return [own, others].map((parts) => parts.slice(0, at + 1).join('/'))
}

function packageOf(path, packages) {
  const around = packages.filter(({ folder }) => path.startsWith(`${folder}/`))
  return around.sort((a, b) => b.folder.length - a.folder.length)[0]
}

function folderGraph(arrows, without) {
  const graph = new Map()
  for (const [arrow, { from, to }] of arrows) {
    if (!graph.has(from)) graph.set(from, [])
    if (!graph.has(to)) graph.set(to, [])
    if (!without.has(arrow)) graph.get(from).push(to)
  }
  return graph
}

/** Whether the imports lead from its end back to its beginning. */
function isNeeded(arrow, arrows, waiting) {
  if (!arrows.has(arrow)) return false
  const { from, to } = arrows.get(arrow)
  const graph = folderGraph(arrows, waiting)
  const reached = new Set([to])
  for (const folder of reached) for (const next of graph.get(folder)) reached.add(next)
  return reached.has(from)
}

function stepsOf(circle, arrows) {
  const steps = circle.slice(1).map((to, at) => arrows.get(`${circle[at]} imports ${to}`))
  return steps.map(({ from, to, example }) => `${from} imports ${to}: ${example}`)
}
