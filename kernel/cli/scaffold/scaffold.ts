// A new plugin as a set of files: one of the repository's example plugins under another name.
import { readFileSync } from 'node:fs'
import { type Files, namesOf, renamedFiles } from './names.ts'

/** What a new plugin may begin as, and what each has. */
export const KINDS = {
  plugin: 'routes, a collection, a queue, a job and a page',
  job: 'a job that asks an outside API, and keeps what it answers',
  deliverability: 'gates, a setup check, a task and a page for the mailer',
  provider: 'a mail provider: an HTTP API that takes mail, and its webhooks',
  telemetry: 'a reader of telemetry, with a page'
} as const
export type Kind = keyof typeof KINDS

/** An example plugin, as the build packs it. */
interface Template {
  readonly id: string
  readonly files: Files
}

/** The files of a plugin of this kind. `id` is taken as it is; checkManifest says whether it is valid. */
export function scaffold(id: string, kind: Kind): Files {
  const template = readTemplate(kind)
  return firstVersion(renamedFiles(template.files, namesOf(template.id), namesOf(id)))
}

const VERSION = /("version":\s*)"[^"]*"/

/** The examples have the version of the platform; a new plugin begins its own. */
export function firstVersion(files: Files): Files {
  const begun = ['package.json', 'plugin.json'].flatMap((name) => {
    const { [name]: text } = files
    return text === undefined ? [] : [[name, text.replace(VERSION, '$1"0.1.0"')]]
  })
  return { ...files, ...Object.fromEntries(begun) }
}

/** From `dist/templates`, which the build writes. */
function readTemplate(kind: Kind): Template {
  const file = new URL(`../../templates/${kind}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Template
}
