// Finds a plugin's folder, reads its plugin.json and loads what `main` names.
import { access, readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definitionOf, type Manifest, type PluginDefinition } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { loadingFault, readingFault } from './config-file.ts'
import { jsonFault } from './json-fault.ts'

/**
 * The folder of a package: a bare name looked up in the node_modules of `from` and above, or a path.
 *
 * @throws KRN_PACKAGE_MISSING
 */
export async function findPluginFolder(
  plugin: string,
  given: string,
  from: string
): Promise<string> {
  const isPath = given.startsWith('.') || isAbsolute(given)
  const candidates = isPath ? [resolve(from, given)] : nodeModulesOf(from, given)
  for (const folder of candidates) {
    if (await exists(join(folder, 'plugin.json'))) return folder
  }
  const unfit = await firstThere(candidates)
  const absent = isPath
    ? `does not exist: ${candidates[0]}`
    : `is not installed: looked in ${from}, and above`
  throw errors.KRN_PACKAGE_MISSING({
    plugin,
    path: `plugins.${plugin}.package`,
    package: given,
    reason: unfit === undefined ? absent : `is not a plugin: ${unfit} has no plugin.json`,
    hint:
      unfit === undefined
        ? 'Install it, or correct the name or path in the config.'
        : 'Name the package of a plugin.'
  })
}

async function firstThere(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await exists(folder)) return folder
  return undefined
}

/** The packages that an entry without `package` may mean, in the order they are looked for. */
export const impliedPackages = (id: string): readonly string[] => [`@keelson/${id}`, id]

/** The folder of the first implied package that is installed where `from` finds it. */
export async function findImpliedFolder(id: string, from: string): Promise<string | undefined> {
  for (const name of impliedPackages(id)) {
    for (const folder of nodeModulesOf(from, name)) {
      if (await exists(join(folder, 'plugin.json'))) return folder
    }
  }
  return undefined
}

function nodeModulesOf(from: string, name: string): string[] {
  const folders: string[] = []
  for (let at = resolve(from); ; at = dirname(at)) {
    folders.push(join(at, 'node_modules', name))
    if (dirname(at) === at) return folders
  }
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false
  )
}

/**
 * The content of a folder's plugin.json, unchecked.
 *
 * @throws KRN_MANIFEST_UNREADABLE
 */
export async function readManifest(folder: string): Promise<unknown> {
  const file = join(folder, 'plugin.json')
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const reason = readingFault(cause)
    throw errors.KRN_MANIFEST_UNREADABLE({ file, path: 'plugin.json', reason, cause })
  })
  const fault = jsonFault(text)
  if (fault === undefined) return JSON.parse(text)
  const reason = `it is not JSON: ${fault}`
  throw errors.KRN_MANIFEST_UNREADABLE({ file, path: 'plugin.json', reason })
}

/**
 * The definition that a plugin's main module exports, by default or under any name.
 *
 * @throws KRN_PLUGIN_UNLOADABLE, KRN_PLUGIN_EXPORT, KRN_PLUGIN_ID_DIFFERS
 */
export async function loadDefinition(
  folder: string,
  manifest: Manifest
): Promise<PluginDefinition> {
  const plugin = manifest.id
  const file = resolve(folder, manifest.main ?? './index.js')
  let loaded: Readonly<Record<string, unknown>>
  try {
    loaded = await import(pathToFileURL(file).href)
  } catch (cause) {
    const reason = loadingFault(cause, file)
    throw errors.KRN_PLUGIN_UNLOADABLE({ plugin, path: 'main', file, reason, cause })
  }
  const definition = [loaded['default'], ...Object.values(loaded)]
    .map(definitionOf)
    .find((found) => found !== undefined)
  if (definition === undefined) throw errors.KRN_PLUGIN_EXPORT({ plugin, path: 'main', file })
  const found = (definition.manifest as { id?: unknown }).id
  if (found !== plugin) {
    throw errors.KRN_PLUGIN_ID_DIFFERS({ plugin, path: 'id', found: String(found), file })
  }
  return definition
}
