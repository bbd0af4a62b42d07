// keelson create: writes a plugin that passes its own tests and keelson check as it is.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errors } from '../../errors/errors.ts'
import { checkManifest } from '../../manifest/check.ts'
import { exists } from '../../manifest/read.ts'
import type { Command } from '../command.ts'
import {
  findPackage,
  findTypes,
  isClone,
  withLocalPackages,
  withLocalTypes
} from '../scaffold/local-packages.ts'
import type { Files } from '../scaffold/names.ts'
import { KINDS, type Kind, scaffold } from '../scaffold/scaffold.ts'

export const create: Command = {
  name: 'create',
  summary: 'Write a new plugin in TypeScript, with a page, tests and a CI file.',
  positionals: '<name>',
  options: {
    kind: {
      type: 'string',
      placeholder: 'KIND',
      description:
        'plugin (default): routes, a collection, a queue, a job and a page. deliverability: gates, a setup check, a task and a page for the mailer.'
    }
  },
  async run(context, { args: [name = ''], options }) {
    const { kind = 'plugin' } = options
    if (!isKind(kind)) {
      return { wrongUse: `There is no kind "${kind}". Use one of: ${KINDS.join(', ')}.` }
    }
    const folder = resolve(context.cwd, name)
    const files = localFiles(scaffold(name, kind), folder)
    const checked = checkManifest(JSON.parse(files['plugin.json'] ?? ''), name)
    const [fault] = checked.ok ? [] : checked.problems
    if (fault !== undefined) {
      return { wrongUse: `"${name}" cannot be the id of a plugin. ${fault.message}` }
    }
    if (await exists(folder)) throw errors.KRN_CLI_FOLDER_TAKEN({ folder, path: name })
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    const text = [
      `Wrote ${name}/ (${kind}):`,
      ...Object.keys(files).map((path) => `  ${path}`),
      '',
      `Next: cd ${name} && npm install && npm test && npm run dev`
    ].join('\n')
    return { text, json: { folder, kind, files: Object.keys(files) } }
  }
}

/** In a clone of Keelson, `npm install` would look for packages that no registry has. */
function localFiles(files: Files, folder: string): Files {
  if (!isClone(findPackage)) return files
  const { 'package.json': packages = '', 'tsconfig.json': options = '' } = files
  return {
    ...files,
    'package.json': withLocalPackages(packages, folder, findPackage),
    'tsconfig.json': withLocalTypes(options, folder, findTypes)
  }
}

function isKind(kind: unknown): kind is Kind {
  return (KINDS as readonly unknown[]).includes(kind)
}
