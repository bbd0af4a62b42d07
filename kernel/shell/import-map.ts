// The import map: which file a bare name of a page stands for. Pure.
import type { UiManifest } from '@keelson/ui'

/** Where the files lie, seen from any mount: every document has its mount as base address. */
export const ASSETS = '_assets'

/** The text of the import map. It is the same in every document, and so is its hash. */
export function importMap(ui: UiManifest): string {
  const imports = Object.fromEntries(
    Object.entries(ui.imports).map(([name, file]) => [name, `./${ASSETS}/${file}`])
  )
  return JSON.stringify({ imports })
}
