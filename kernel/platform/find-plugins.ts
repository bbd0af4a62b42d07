// Finds the plugins: those given in code, and the packages that the config names.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { definitionOf, nearestName, type PluginConfig, type PluginDefinition } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import {
  findImpliedFolder,
  findPluginFolder,
  impliedPackages,
  readManifest
} from '../manifest/read.ts'
import type { ReadConfig } from './config.ts'

/** A plugin as it was found, before anything about it is known to be good. */
export interface FoundPlugin {
  readonly source: string
  readonly folder: string | undefined
  readonly manifest: unknown
  readonly definition: PluginDefinition | undefined
  readonly entry: PluginConfig
}

/**
 * Every plugin that the code gives or the config names. One given in code wins over a package.
 *
 * @throws KRN_CONFIG_PLUGIN_UNKNOWN, KRN_PACKAGE_MISSING, KRN_MANIFEST_UNREADABLE, KRN_PLUGIN_ID_DIFFERS
 */
export async function findPlugins(
  read: ReadConfig,
  inline: readonly InlinePlugin[]
): Promise<FoundPlugin[]> {
  const entries = read.config.plugins ?? {}
  const given = inline.map((each) => foundInline(each, entries))
  const named = new Set(given.map(({ manifest }) => (manifest as { id?: unknown }).id))
  const packaged = await Promise.all(
    Object.entries(entries)
      .filter(([id]) => !named.has(id))
      .map(([id, entry]) => foundPackage(id, entry, read, [...named]))
  )
  return [...given, ...packaged.flat()]
}

/** A plugin given in code, and where: `plugins[0]`, `use[0]`. */
export interface InlinePlugin {
  readonly value: unknown
  readonly source: string
}

export function inlinePlugins(values: readonly unknown[], list: string): InlinePlugin[] {
  return values.map((value, at) => ({ value, source: `${list}[${at}]` }))
}

/** @throws KRN_PLUGIN_VALUE */
export function foundInline(
  { value, source }: InlinePlugin,
  entries: Readonly<Record<string, PluginConfig>>
): FoundPlugin & { readonly definition: PluginDefinition } {
  const definition = definitionOf(value)
  if (definition === undefined) throw errors.KRN_PLUGIN_VALUE({ source, kind: kindOf(value) })
  const { id } = definition.manifest as { id?: unknown }
  const entry = (typeof id === 'string' ? entries[id] : undefined) ?? {}
  const folder = definition.folder === undefined ? undefined : fileURLToPath(definition.folder)
  return { source, folder, manifest: definition.manifest, definition, entry }
}

/** Without the value, which may be long. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'function') return 'another function'
  return typeof value === 'object' && value !== null ? 'another object' : String(typeof value)
}

/** A switched-off plugin may be missing or half removed. */
async function foundPackage(
  id: string,
  entry: PluginConfig,
  { source, baseDir }: ReadConfig,
  known: readonly unknown[]
): Promise<FoundPlugin[]> {
  const isOff = entry.enabled === false
  try {
    const found = await findPackage(id, entry.package, { baseDir })
    if (found !== undefined) return [{ source: id, ...found, definition: undefined, entry }]
    throw errors.KRN_CONFIG_PLUGIN_UNKNOWN({
      plugin: id,
      file: source,
      path: `plugins.${id}`,
      hint: unknownPluginHint(id, known)
    })
  } catch (error) {
    if (!isOff) throw error
    return [{ source: id, folder: undefined, manifest: { id }, definition: undefined, entry }]
  }
}

/**
 * The folder and the unchecked manifest of a plugin's package. Without a `name` it is `@keelson/<id>`, else `<id>`;
 * undefined when neither is installed.
 *
 * @throws KRN_PACKAGE_MISSING, KRN_MANIFEST_UNREADABLE, KRN_PLUGIN_ID_DIFFERS
 */
export async function findPackage(
  id: string,
  name: string | undefined,
  { baseDir }: Pick<ReadConfig, 'baseDir'>
): Promise<{ readonly folder: string; readonly manifest: unknown } | undefined> {
  const folder =
    name === undefined
      ? await findImpliedFolder(id, baseDir)
      : await findPluginFolder(id, name, baseDir)
  if (folder === undefined) return undefined
  const manifest = await readManifest(folder)
  const found = (manifest as { id?: unknown }).id
  if (typeof found === 'string' && found !== id) {
    const file = join(folder, 'plugin.json')
    throw errors.KRN_PLUGIN_ID_DIFFERS({ plugin: id, path: `plugins.${id}`, found, file })
  }
  return { folder, manifest }
}

function unknownPluginHint(id: string, known: readonly unknown[]): string {
  const names = known.filter((name) => typeof name === 'string')
  const nearest = nearestName(id, names)
  const tried = impliedPackages(id).join(' and ')
  const advice = `The packages ${tried} are not installed: install one, name the package (plugins.${id}.package), or give the plugin to the kernel in \`plugins\`.`
  return nearest === undefined ? advice : `Did you mean ${nearest}? ${advice}`
}
