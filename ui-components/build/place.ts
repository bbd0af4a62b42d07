// The folders of @keelson/ui, wherever it is installed.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of @keelson/ui. */
export const uiFolder = dirname(createRequire(import.meta.url).resolve('@keelson/ui/package.json'))
/** Where its browser files are written. */
export const browserFolder = join(uiFolder, 'dist', 'browser')
