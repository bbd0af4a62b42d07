// Finds tests in `test/` that belong beside the one folder whose sources they test. Pure.
import { dirname, join, normalize } from 'node:path/posix'

/**
 * What is wrong, a sentence each. `test/` of a package holds what spans folders, what runs the whole package, and what
 * such tests share.
 *
 * @param modules Path of each module, with its text.
 */
export function misplacedTests(modules) {
  return modules.flatMap(({ path, text }) => {
    const folder = folderOf(path, text)
    if (folder === undefined) return []
    return [`${path}: it tests ${folder} alone, so it belongs beside its source`]
  })
}

/** The one folder that a test of `test/` imports from; undefined when it spans several, or the whole package. */
function folderOf(path, text) {
  const [, root] = /^(.+)\/test\/[^/]+\.test\.ts$/.exec(path) ?? []
  // Runs something of the package itself: a process, a file.
  if (root === undefined || text.includes('import.meta')) return undefined
  const imports = [...text.matchAll(/(?:from|import\(|import) ?['"](\.{1,2}\/[^'"]+)['"]/g)]
  const targets = imports.map(([, target]) => normalize(join(dirname(path), target)))
  if (targets.some((target) => target.startsWith(`${root}/test/`))) return undefined
  const inside = targets.map((target) => target.slice(root.length + 1).split('/'))
  const isWhole = inside.some((parts) => parts.length === 1 && !isTable(parts[0]))
  const folders = new Set(inside.filter((parts) => parts.length > 1).map(([folder]) => folder))
  return isWhole || folders.size !== 1 ? undefined : `${root}/${[...folders][0]}`
}

/** What any test may look up. */
const isTable = (name) => /^(errors\.ts|plugin\.json|.*config.*)$/.test(name)
