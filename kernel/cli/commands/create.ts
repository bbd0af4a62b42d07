// keelson create: writes a plugin that passes its own tests and keelson check as it is, and brings it up to date.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { CommandAnswer } from '@keelson/sdk'
import { errors } from '../../errors/errors.ts'
import { checkManifest } from '../../manifest/check.ts'
import { exists, readManifest } from '../../manifest/read.ts'
import { joined } from '../../platform/validate.ts'
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
import { AROUND, kindOf, planUpdate, withNote } from '../scaffold/update.ts'

const others = Object.entries(KINDS)
  .filter(([kind]) => kind !== 'plugin')
  .map(([kind, what]) => `${kind}: ${what}`)
  .join('. ')

export const create: Command = {
  name: 'create',
  summary: 'Write a new plugin in TypeScript, with tests and a CI file.',
  details: [
    'With --update, name is the folder of a plugin that create has written: the files around its code',
    '(package.json, tsconfig.json, .gitignore, the CI file) become those of today. Files that you have',
    'changed stay and are named; the code is never touched.'
  ].join('\n'),
  positionals: '<name>',
  options: {
    kind: {
      type: 'string',
      placeholder: 'KIND',
      description: `plugin (default): ${KINDS.plugin}. ${others}.`
    },
    update: { type: 'boolean', description: 'Bring a plugin up to date.' }
  },
  async run(context, { args: [name = ''], options }) {
    const { kind } = options
    if (kind !== undefined && !isKind(kind)) {
      return {
        wrongUse: `There is no kind "${kind}". Use one of: ${Object.keys(KINDS).join(', ')}.`
      }
    }
    const folder = resolve(context.cwd, name)
    if (options['update'] === true) return updatePlugin(folder, kind)
    return writePlugin(folder, { name, kind: kind ?? 'plugin' })
  }
}

interface NewPlugin {
  readonly name: string
  readonly kind: Kind
}

async function writePlugin(folder: string, { name, kind }: NewPlugin): Promise<CommandAnswer> {
  const files = freshFiles(folder, name, kind)
  const checked = checkManifest(JSON.parse(files['plugin.json'] ?? ''), name)
  const [fault] = checked.ok ? [] : checked.problems
  if (fault !== undefined) {
    return { wrongUse: `"${name}" cannot be the id of a plugin. ${fault.message}` }
  }
  if (await exists(folder)) throw errors.KRN_CLI_FOLDER_TAKEN({ folder, path: name })
  await write(folder, files)
  const text = [
    `Wrote ${name}/ (${kind}):`,
    ...Object.keys(files).map((path) => `  ${path}`),
    '',
    `Next: cd ${name} && npm install && npm test && npm run dev`
  ].join('\n')
  return { text, json: { folder, kind, files: Object.keys(files) } }
}

async function updatePlugin(folder: string, given: Kind | undefined): Promise<CommandAnswer> {
  const checked = checkManifest(await readManifest(folder), folder)
  if (!checked.ok) throw joined(checked.problems)
  const { id, uses = [] } = checked.manifest
  const isOfMailer = uses.some((use) => JSON.stringify(use).includes('"mailer.'))
  const mine = await ownFiles(folder)
  // Before create noted the kind, there were two.
  const kind = given ?? kindOf(mine) ?? (isOfMailer ? 'deliverability' : 'plugin')
  const { written, kept } = planUpdate(mine, freshFiles(folder, id, kind))
  await write(folder, written)
  const names = Object.keys(written)
  const text = [
    ...(names.length === 0
      ? ['Everything is up to date.']
      : names.map((each) => `updated ${each}`)),
    ...kept.map((each) => `kept ${each}: you have changed it`)
  ].join('\n')
  return { text, json: { folder, kind, updated: names, kept } }
}

/** As they are written: with a note of what they were. */
function freshFiles(folder: string, id: string, kind: Kind): Files {
  return withNote(localFiles(scaffold(id, kind), folder), kind)
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

/** The files around the code, as far as they are there. */
async function ownFiles(folder: string): Promise<Files> {
  const names = ['package.json', ...AROUND]
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      return (await exists(file)) ? [[name, await readFile(file, 'utf8')]] : []
    })
  )
  return Object.fromEntries(found.flat())
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

function isKind(kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind)
}
