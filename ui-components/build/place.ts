// Where this package lies.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of @keelson/ui: this module is `<folder>/dist/build/place.js`. */
export const uiFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** Where its browser files are written. */
export const browserFolder = join(uiFolder, 'dist', 'browser')
