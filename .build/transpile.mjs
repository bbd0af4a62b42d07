// Transpiles every TypeScript source whose output is missing or older; checks no types.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transpileFolder } from '../ui-components/build/transpile-folder.mjs'

/** Folders that compile into their own `dist/`: the workspaces, and the tests of the whole. */
export function sourceFolders(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return [...workspaces, 'test']
    .map((name) => join(root, name))
    .filter((folder) => existsSync(join(folder, 'tsconfig.json')))
}

/** Returns how many sources there are and how many of them were transpiled now. */
export function transpile(root) {
  const folders = sourceFolders(root)
  const counts = { sources: 0, written: 0 }
  for (const folder of folders) {
    const { sources, written } = transpileFolder(folder, { except: folders })
    counts.sources += sources
    counts.written += written
  }
  return counts
}
