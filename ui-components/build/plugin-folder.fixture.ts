// A plugin's folder for tests of the build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { uiFolder } from './place.ts'

/** Inside the folder of @keelson/ui, so that its imports are found. */
export function pluginFolder(t: Test, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(uiFolder, 'dist', 'test'), { recursive: true })
  const folder = mkdtempSync(join(uiFolder, 'dist', 'test', 'plugin-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}
