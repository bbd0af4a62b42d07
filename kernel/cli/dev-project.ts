// What keelson dev runs in a folder: a plugin with its settings, or a platform.
import { dirname, relative, resolve } from 'node:path'
import type { KeelsonConfig, Manifest } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { checkManifest } from '../manifest/check.ts'
import { CONFIG_ORIGIN, readConfigText } from '../manifest/config-file.ts'
import { exists, readManifest } from '../manifest/read.ts'
import { isPlainObject } from '../manifest/schema-parts.ts'
import { withSettings } from '../platform/join-settings.ts'
import { joined } from '../platform/validate.ts'
import { type DevMailer, findDevMailer } from './dev-mailer.ts'
import type { GivenSettings } from './dev-options.ts'
import { findConfig, findPlatform } from './platform.ts'

/** What is run, and how: plain data, handed to the process of the host. */
export interface DevRequest {
  readonly folder: string
  /** A config file that was named, absolute. */
  readonly configFile?: string | undefined
  /** Settings that were given, for the plugin of the folder. */
  readonly settings: GivenSettings
  /** Runs the mailer beside the plugin. */
  readonly withMailer?: boolean
}

export interface DevProject {
  /** The platform's config, as createKernel takes it. */
  readonly config: string | KeelsonConfig
  /** The plugin of the folder; undefined for a platform. */
  readonly plugin: string | undefined
  /** The config file, or the one that may be written. */
  readonly configFile: string
  /** The plugin that says who is signed in; without it the developer is. */
  readonly viewerPlugin: string | undefined
  /** The folders of the plugins in development. */
  readonly plugins: readonly string[]
  /** Folders whose changes restart the host. */
  readonly watched: readonly string[]
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * A folder with a plugin.json is run as a platform of that plugin, with its data beside it. A config file,
 * if there is one, adds settings and other plugins.
 *
 * @throws KRN_CLI_NO_PROJECT, or what is wrong with the manifest or the config
 */
export async function readDevProject(request: DevRequest, env: Env): Promise<DevProject> {
  const { folder, configFile } = request
  const context = { cwd: folder, env: configFile ? { ...env, KEELSON_CONFIG: configFile } : env }
  const isPlugin = await exists(resolve(folder, 'plugin.json'))
  const file = await findConfig(context).catch((error: { code?: string }) => {
    if (error.code === 'KRN_CLI_CONFIG_MISSING') return undefined
    throw error
  })
  if (isPlugin) return pluginProject(request, file, env)
  if (file === undefined) throw errors.KRN_CLI_NO_PROJECT({ folder })
  const { read, plugins } = await findPlatform(context)
  const folders = plugins.flatMap((each) => each.folder ?? [])
  return {
    config: file,
    plugin: undefined,
    configFile: file,
    viewerPlugin: plugins.find(({ manifest }) => providesViewers(manifest))?.id,
    plugins: folders,
    watched: [...new Set([read.baseDir, ...folders])]
  }
}

async function pluginProject(
  { folder, settings, withMailer = false }: DevRequest,
  file: string | undefined,
  { HOST = '127.0.0.1', PORT = '3000' }: Env
): Promise<DevProject> {
  const checked = checkManifest(await readManifest(folder), folder)
  if (!checked.ok) throw joined(checked.problems)
  const { manifest } = checked
  const config = await pluginConfig(manifest, { folder, settings }, file)
  const mailer = withMailer ? await findDevMailer(folder, `http://${HOST}:${PORT}`) : undefined
  return {
    config: mailer === undefined ? config : besideMailer(config, mailer),
    plugin: manifest.id,
    configFile: file ?? resolve(folder, 'keelson.config.json'),
    viewerPlugin: providesViewers(manifest) ? manifest.id : undefined,
    plugins: [folder],
    watched: file === undefined || isBelow(folder, file) ? [folder] : [folder, dirname(file)]
  }
}

/** The file's content, as far as it is an object: the kernel says what is wrong with it. */
async function pluginConfig(
  { id, name }: Manifest,
  { folder, settings }: DevRequest,
  file: string | undefined
): Promise<KeelsonConfig> {
  const text = file === undefined ? undefined : await readConfigText(file)
  const content = isPlainObject(text?.content) ? text.content : {}
  const entries = isPlainObject(content['plugins']) ? content['plugins'] : {}
  const entry = isPlainObject(entries[id]) ? entries[id] : {}
  const given = isPlainObject(entry['config']) ? entry['config'] : {}
  const { plugins: use = [] } = text ?? {}
  return {
    storage: { dataDir: resolve(folder, '.keelson') },
    shell: { title: name },
    ...content,
    plugins: {
      ...entries,
      [id]: { package: folder, ...entry, config: withSettings(given, settings.config) }
    },
    ...(use.length > 0 && { use }),
    ...(text !== undefined && { [CONFIG_ORIGIN]: { source: text.source, baseDir: text.baseDir } })
  } as KeelsonConfig
}

/** Settings of the mailer that the config file has win over those of development. */
function besideMailer(config: KeelsonConfig, { entry, plugin }: DevMailer): KeelsonConfig {
  const { plugins = {} } = config
  const { mailer: own = {} } = plugins
  const { use = [] } = config as { readonly use?: readonly unknown[] }
  const mailer = { ...entry, ...own, config: withSettings(entry.config ?? {}, own.config ?? {}) }
  return { ...config, plugins: { ...plugins, mailer }, use: [...use, plugin] } as KeelsonConfig
}

const isBelow = (folder: string, file: string): boolean => !relative(folder, file).startsWith('..')

function providesViewers(manifest: Manifest): boolean {
  return (manifest.provides ?? []).some((capability) => capability.startsWith('auth.viewer/'))
}
