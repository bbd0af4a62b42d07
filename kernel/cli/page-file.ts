// Reads the files of a page, for the check of unbuilt pages.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { PageFile } from './unbuilt-pages.ts'

/** `module` is relative to the plugin's folder; the build writes the file for other sites to `../embed`. */
export function readPageFile(folder: string, module: string): PageFile {
  const file = resolve(folder, module)
  return {
    module: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
    hasEmbedFile: existsSync(join(dirname(file), '..', 'embed', basename(file)))
  }
}
