// The validate phase: config and plugins read, checked alone and together. Touches no storage.
import { KeelsonError, type Manifest, type PluginConfig, type PluginDefinition } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { checkManifest } from '../manifest/check.ts'
import { type ConfigText, readConfigText } from '../manifest/config-file.ts'
import { migrationProblems } from '../manifest/migrations.ts'
import { settingProblems } from '../manifest/named-settings.ts'
import { operationProblems } from '../manifest/operations.ts'
import { loadDefinition } from '../manifest/read.ts'
import { mountOf, routeAddress, routeKey } from './addresses.ts'
import { checkAgreement, needsOf } from './agreement.ts'
import { checkConfig, type ReadConfig } from './config.ts'
import { dependenciesOf, withoutDependents } from './dependents.ts'
import { withDevPlugin } from './dev-plugin.ts'
import { type FoundPlugin, findPlugins, inlinePlugins } from './find-plugins.ts'
import { layersOf } from './graph.ts'
import { type KernelAddresses, kernelAddresses } from './kernel-addresses.ts'
import type { DisabledPlugin, KnownPlugin, Platform, PlatformPlugin } from './platform.ts'
import { publishedSecrets } from './published-secrets.ts'
import { checkSettings, type Settings } from './settings.ts'
import { type PlatformChanges, withChanges } from './stored-changes.ts'

export interface ValidateOptions {
  /** A path, or the config itself. */
  readonly config: unknown
  /** Plugins given in code. */
  readonly plugins?: readonly unknown[]
  /** What everything is below. */
  readonly prefix?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What the settings of the platform say beside the config. */
  readonly changes?: PlatformChanges
  /** Called once the config is checked, before the plugins are loaded. */
  readonly onConfig?: (read: ReadConfig) => void
}

interface StartingPlugin extends KnownPlugin {
  readonly definition: PluginDefinition
  readonly entry: PluginConfig
}

/**
 * Reads and checks everything there is to know before the start.
 *
 * @throws a KRN_ error that names plugin, field path and remedy; KRN_SEVERAL_PROBLEMS for more than one
 */
export async function validatePlatform(options: ValidateOptions): Promise<Platform> {
  const env = options.env ?? process.env
  const text = withDevPlugin(await readPlatformText(options), env)
  const checked = checkConfig(text, env)
  if (!checked.ok) throw joined(checked.problems)
  const { read } = checked
  options.onConfig?.(read)
  const found = await findPlugins(read, [
    ...inlinePlugins(options.plugins ?? [], 'plugins'),
    ...inlinePlugins(text.plugins, 'use')
  ])
  const addresses = kernelAddresses(read.config.addresses, options.prefix)
  const { starting, switchedOff } = await readPlugins(found, addresses.prefix)
  const disabled = [...switchedOff]
  const up = withoutDependents(starting, disabled)
  const known = disabled.flatMap(({ known }) => known ?? [])
  const problems = checkAgreement({ enabled: up, disabled: known, addresses })
  const settled = up.map((plugin) => ({ plugin, settings: settingsOf(plugin, read) }))
  for (const { settings } of settled) if (!settings.ok) problems.push(...settings.problems)
  if (problems.length > 0) throw joined(problems)
  const plugins = settled.flatMap(({ plugin, settings }) =>
    settings.ok ? [toPlatformPlugin(plugin, settings.settings, up)] : []
  )
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]))
  const layers = layersOf(needsOf(plugins)).map((layer) =>
    layer.flatMap((id) => byId.get(id) ?? [])
  )
  const { source, baseDir, config, defaulted } = read
  const secrets = plugins.flatMap(({ settings }) => settings.secrets.places)
  const published = publishedSecrets({ config, defaulted, secrets })
  return { source, baseDir, config, addresses, layers, disabled, published }
}

/** The config as it is written, with the changes over it. */
export async function readPlatformText({
  config,
  changes = {}
}: Pick<ValidateOptions, 'config' | 'changes'>): Promise<ConfigText> {
  const text = await readConfigText(config)
  return { ...text, content: withChanges(text.content, changes) }
}

/** A platform that has started, as a plugin finds it that joins late. */
export interface RunningPlatform {
  readonly running: readonly KnownPlugin[]
  readonly disabled: readonly DisabledPlugin[]
  readonly addresses: KernelAddresses
}

/**
 * Checks a plugin that joins a platform that has started.
 *
 * @throws a KRN_ error that names plugin, field path and remedy
 */
export function validateOne(
  found: FoundPlugin & {
    readonly definition: PluginDefinition
    readonly configPath?: string
    /** The host has checked its options by itself: what the manifest says of settings is not for it. */
    readonly hasOwnOptions?: boolean
  },
  { running, disabled, addresses }: RunningPlatform
): PlatformPlugin {
  const checked = checkManifest(found.manifest, found.source)
  if (!checked.ok) throw joined(checked.problems)
  const { id: plugin } = checked.manifest
  if ([...running, ...disabled].some(({ id }) => id === plugin)) {
    const second = found.source
    throw errors.KRN_PLUGIN_TWICE({ plugin, path: 'id', first: 'the platform', second })
  }
  checkCode(checked.manifest, found.definition, found.hasOwnOptions)
  const known = toKnown(checked.manifest, found, addresses.prefix)
  const joining = { ...known, definition: found.definition, entry: found.entry }
  const enabled = [...running, known]
  const problems = checkAgreement({
    enabled,
    disabled: disabled.flatMap((each) => each.known ?? []),
    addresses
  }).filter((problem) => problem.plugin === plugin)
  const settings = checkSettings({
    plugin,
    schema: found.definition.config,
    value: found.entry.config ?? {},
    path: found.configPath ?? 'config',
    filled: new Map()
  })
  if (!settings.ok) problems.push(...settings.problems)
  if (problems.length > 0 || !settings.ok) throw joined(problems)
  return toPlatformPlugin(joining, settings.settings, enabled)
}

/** One problem speaks for itself; several become one error that lists them. */
export function joined(problems: readonly KeelsonError[]): KeelsonError {
  const [first] = problems
  if (problems.length === 1 && first !== undefined) return first
  const plugins = new Set(problems.map(({ plugin }) => plugin))
  return errors.KRN_SEVERAL_PROBLEMS({
    ...(plugins.size === 1 && first?.plugin !== undefined && { plugin: first.plugin }),
    count: problems.length,
    list: problems.map((problem) => `- ${problem.code} ${problem.message}`).join('\n'),
    problems
  })
}

async function readPlugins(found: readonly FoundPlugin[], prefix: string) {
  const problems: KeelsonError[] = []
  const starting: StartingPlugin[] = []
  const switchedOff: DisabledPlugin[] = []
  const seen = new Map<string, string>()
  for (const each of found) {
    const checked = checkManifest(each.manifest, each.source)
    if (each.entry.enabled === false) {
      switchedOff.push(toSwitchedOff(each, checked.ok ? checked.manifest : undefined, prefix))
      continue
    }
    if (!checked.ok) {
      problems.push(...checked.problems)
      continue
    }
    const { id } = checked.manifest
    const first = seen.get(id)
    if (first !== undefined) {
      problems.push(errors.KRN_PLUGIN_TWICE({ plugin: id, path: 'id', first, second: each.source }))
      continue
    }
    seen.set(id, each.source)
    const raised = await raising(() => toStarting(each, checked.manifest, prefix))
    if ('error' in raised) problems.push(raised.error)
    else starting.push(raised.value)
  }
  if (problems.length > 0) throw joined(problems)
  return { starting, switchedOff }
}

async function raising<T>(
  act: () => Promise<T>
): Promise<{ readonly value: T } | { readonly error: KeelsonError }> {
  try {
    return { value: await act() }
  } catch (error) {
    if (KeelsonError.is(error)) return { error }
    throw error
  }
}

async function toStarting(
  found: FoundPlugin,
  manifest: Manifest,
  prefix: string
): Promise<StartingPlugin> {
  const definition = found.definition ?? (await loadDefinition(found.folder ?? '', manifest))
  checkCode(manifest, definition)
  return { ...toKnown(manifest, found, prefix), definition, entry: found.entry }
}

/** What plugin.json declares and what the code brings must be the same. */
function checkCode(manifest: Manifest, definition: PluginDefinition, hasOwnOptions = false): void {
  const problems = [
    ...migrationProblems(manifest, definition),
    ...operationProblems(manifest, definition),
    ...(hasOwnOptions ? [] : settingProblems(manifest, definition))
  ]
  if (problems.length > 0) throw joined(problems)
}

export function toKnown(
  manifest: Manifest,
  found: { readonly folder: string | undefined; readonly entry: PluginConfig },
  prefix: string
): KnownPlugin {
  const mount = mountOf(manifest, found.entry.mount, prefix)
  const routes = (manifest.routes ?? []).map((declared, at) => {
    const address = routeAddress({ mount, prefix }, declared)
    return { key: routeKey(declared.method, address), address, declared, path: `routes[${at}]` }
  })
  return { id: manifest.id, manifest, mount, prefix, routes, folder: found.folder }
}

function toSwitchedOff(
  found: FoundPlugin,
  manifest: Manifest | undefined,
  prefix: string
): DisabledPlugin {
  const { id, version } = found.manifest as { id?: unknown; version?: unknown }
  const plugin = manifest?.id ?? (typeof id === 'string' ? id : found.source)
  return {
    id: plugin,
    version: typeof version === 'string' ? version : '',
    known: manifest === undefined ? undefined : toKnown(manifest, found, prefix),
    load:
      manifest === undefined
        ? undefined
        : async () => found.definition ?? loadDefinition(found.folder ?? '', manifest),
    reason: errors.KRN_SWITCHED_OFF({ plugin })
  }
}

function settingsOf(plugin: StartingPlugin, read: ReadConfig) {
  return checkSettings({
    plugin: plugin.id,
    schema: plugin.definition.config,
    value: plugin.entry.config ?? {},
    path: `plugins.${plugin.id}.config`,
    filled: read.filled
  })
}

function toPlatformPlugin(
  plugin: StartingPlugin,
  settings: Settings,
  up: readonly KnownPlugin[]
): PlatformPlugin {
  const { entry, ...rest } = plugin
  return {
    ...rest,
    settings,
    onFailure: entry.onFailure ?? 'abort',
    needs: dependenciesOf(plugin, up, up)
  }
}
