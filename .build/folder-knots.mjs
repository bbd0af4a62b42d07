// Finds folders of a package that import one another: folders are layers, so imports lead one way. Pure.
import { circlesOf, importGraph } from './import-circles.mjs'

/**
 * What is wrong with the folders, a sentence each: folders side by side that import one another. Files beside the
 * folders (entries, tables, what assembles) belong to no folder.
 *
 * @param modules Path of each module, with its text.
 * @param packages Name, folder and `exports` of each package of the workspace.
 */
export function folderKnots(modules, packages) {
  const arrows = folderArrows(importGraph(modules, packages), packages)
  return circlesOf(folderGraph(arrows)).map(
    (circle) => `a knot of folders:\n  ${stepsOf(circle, arrows).join('\n  ')}`
  )
}

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

function folderGraph(arrows) {
  const graph = new Map()
  for (const { from, to } of arrows.values()) {
    if (!graph.has(from)) graph.set(from, [])
    if (!graph.has(to)) graph.set(to, [])
    graph.get(from).push(to)
  }
  return graph
}

function stepsOf(circle, arrows) {
  const steps = circle.slice(1).map((to, at) => arrows.get(`${circle[at]} imports ${to}`))
  return steps.map(({ from, to, example }) => `${from} imports ${to}: ${example}`)
}
