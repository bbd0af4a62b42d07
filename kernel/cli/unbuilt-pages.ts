// Pages for other sites that only work in the shell, because they were not bundled. Pure.
import type { KeelsonError, Manifest } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'

/** What is known of a page's files. */
export interface PageFile {
  /** The text of the module that the manifest names; undefined when it is missing. */
  readonly module: string | undefined
  /** Whether the build has written a self-contained file. */
  readonly hasEmbedFile: boolean
}

/** At a statement's start: `import 'x'`, `import a from "x"`, `export { a } from 'x'`. */
const IMPORT =
  /(?:^|[;}])[ \t]*(?:import\s*|(?:import|export)\b[^;'"]*?\bfrom\s*)["']([^"']+)["']/gm

/** What a module imports by statements, each once. */
export function allImports(module: string): readonly string[] {
  return [...new Set([...module.matchAll(IMPORT)].flatMap(([, name]) => name ?? []))]
}

/** The packages that a module imports by name, each once. */
export function bareImports(module: string): readonly string[] {
  return allImports(module).filter((name) => !/^(\.|\/|[a-z]+:)/.test(name))
}

/** One problem for each page with `embed` (the default) whose only file imports packages by name. */
export function unbuiltPages(
  manifest: Manifest,
  fileOf: (module: string) => PageFile
): readonly KeelsonError[] {
  return (manifest.pages ?? []).flatMap(({ module: file, embed = true }, at) => {
    if (!embed) return []
    const { module, hasEmbedFile } = fileOf(file)
    if (module === undefined || hasEmbedFile) return []
    const imported = bareImports(module)
    if (imported.length === 0) return []
    const path = `pages[${at}].module`
    const names = imported.join(', ')
    return [errors.KRN_CLI_PAGE_UNBUILT({ plugin: manifest.id, path, file, names })]
  })
}
