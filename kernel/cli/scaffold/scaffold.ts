// A new plugin as a set of files: one of the repository's example plugins under another name.
import { readFileSync } from 'node:fs'
import { type Files, namesOf, renamedFiles } from './names.ts'

export const KINDS = ['plugin', 'deliverability'] as const
export type Kind = (typeof KINDS)[number]

/** An example plugin, as the build packs it. */
interface Template {
  readonly id: string
  readonly files: Files
}

/** The files of a plugin of this kind. `id` is taken as it is; checkManifest says whether it is valid. */
export function scaffold(id: string, kind: Kind): Files {
  const template = readTemplate(kind)
  return renamedFiles(template.files, namesOf(template.id), namesOf(id))
}

/** From `dist/templates`, which the build writes. */
function readTemplate(kind: Kind): Template {
  const file = new URL(`../../templates/${kind}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Template
}
