// A new plugin as a set of files: plain JavaScript, nothing to build.
import { deliverabilityFiles } from './deliverability-kind.ts'
import type { Files, Names } from './parts.ts'
import { pluginFiles } from './plugin-kind.ts'

export const KINDS = ['plugin', 'deliverability'] as const
export type Kind = (typeof KINDS)[number]

const MAKERS: Readonly<Record<Kind, (names: Names) => Files>> = {
  plugin: pluginFiles,
  deliverability: deliverabilityFiles
}

/** The files of a plugin of this kind. `id` is taken as it is; checkManifest says whether it is good. */
export function scaffold(id: string, kind: Kind): Files {
  return MAKERS[kind](namesOf(id))
}

export function namesOf(id: string): Names {
  const letters = id.replace(/[^a-z]/g, '').toUpperCase()
  return {
    id,
    title: id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
    prefix: id.replaceAll('-', '_'),
    code: letters.slice(0, 4).padEnd(3, 'X')
  }
}
