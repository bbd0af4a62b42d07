// Changes a plugin of the platform: checks what the platform would become, then adds the next revision of its settings.
import {
  type Actor,
  type Clock,
  KeelsonError,
  nearestName,
  type PluginDefinition
} from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import {
  kernelPlugins,
  type PluginChangeRequest,
  type SettingChange,
  type SettingField,
  type SettingsRevision
} from '@keelson/sdk/contracts/kernel-plugins'
import type { Db } from 'mongodb'
import { errors } from '../errors/errors.ts'
import { fit } from '../manifest/fit.ts'
import { impliedPackages } from '../manifest/read.ts'
import type { PlainObject } from '../manifest/schema-parts.ts'
import { usedBy } from '../platform/agreement.ts'
import { checkConfig } from '../platform/config.ts'
import { installedPackages } from '../platform/installed-packages.ts'
import { type KnownPlugin, type Platform, pluginsOf } from '../platform/platform.ts'
import { checkSettings } from '../platform/settings.ts'
import { type PlatformChanges, type PluginChange, withValue } from '../platform/stored-changes.ts'
import {
  joined,
  readPlatformText,
  type ValidateOptions,
  validatePlatform
} from '../platform/validate.ts'
import { type PlannedPlugin, planStorage, stepText } from '../storage/plan.ts'
import { changeRefused, refusalOf } from './decide-change.ts'
import { addRevision, newestRevision } from './revisions.ts'
import { fieldsOf, partsOfPath } from './setting-fields.ts'
import { writtenValue } from './written-value.ts'

export interface ChangeSource {
  /** What the platform is made from without its settings in the database. */
  readonly base: Omit<ValidateOptions, 'changes' | 'onConfig'>
  readonly db: Db
  readonly clock: Clock
  /** The sign-in, and what has the page of plugins, may be disabled too. */
  readonly mayLockOut: boolean
}

/** A plugin of the platform, whether it is enabled or not. */
interface FoundTarget {
  readonly known: KnownPlugin
  readonly isUp: boolean
  /** Of one that the config does not name, where its id does not say it. */
  readonly package?: string
  definition(): Promise<PluginDefinition>
}

const ATTEMPTS = 3

/**
 * Adds the revision; undefined when the platform is so already.
 *
 * @throws KRN_CHANGE_UNKNOWN, KRN_CHANGE_NEEDED, KRN_CHANGE_KEPT, KRN_CHANGE_REFUSED, KRN_CHANGE_PENDING,
 * KRN_CHANGE_FIELD, KRN_CHANGE_SECRET, KRN_CHANGE_CONFLICT
 */
export async function changePlugin(
  source: ChangeSource,
  actor: Pick<Actor, 'name' | 'via' | 'ip'>,
  request: PluginChangeRequest
): Promise<SettingsRevision | undefined> {
  const { db, clock } = source
  const { plugin, settings = [] } = request
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const base = await newestRevision(db)
    const given = base?.changes ?? {}
    const next = await nextChanges(source, given, request)
    if (next === undefined) return undefined
    const { name: by, via, ip } = actor
    const row = {
      plugin,
      action: actionOf(request),
      fields: settings.map(({ path }) => path),
      by,
      via,
      at: clock.now(),
      ...(ip !== undefined && { ip }),
      changes: next
    }
    const added = await addRevision(db, row, base?.revision ?? 0)
    if (added !== undefined) return added
  }
  throw errors.KRN_CHANGE_CONFLICT()
}

const actionOf = ({ enabled }: PluginChangeRequest): SettingsRevision['action'] => {
  if (enabled === undefined) return 'configure'
  return enabled ? 'enable' : 'disable'
}

/** What the settings say after the change; undefined when they say so already. */
async function nextChanges(
  source: ChangeSource,
  given: PlatformChanges,
  { plugin, enabled, settings = [] }: PluginChangeRequest
): Promise<PlatformChanges | undefined> {
  const before = await validated(source, plugin, given)
  const named = findTarget(before, plugin)
  const target = named ?? (await findInstalled(source, { plugin, changes: given, before }))
  if (target === undefined) throw unknownPlugin(before, plugin)
  const isSwitched = enabled !== undefined && enabled !== target.isUp
  if (!isSwitched && settings.length === 0) return undefined
  if (enabled === false && !source.mayLockOut && isKept(target.known)) {
    throw errors.KRN_CHANGE_KEPT({ plugin })
  }
  const old = given[plugin] ?? {}
  const config = await changedConfig(target, old.config ?? {}, settings)
  const next: PluginChange = {
    ...old,
    ...(target.package !== undefined && { package: target.package }),
    ...(enabled !== undefined && { enabled }),
    ...(settings.length > 0 && { config })
  }
  const changes = { ...given, [plugin]: next }
  const after = await validated(source, plugin, changes)
  const refusal = refusalOf({ plugin, before, after })
  if (refusal !== undefined) throw refusal
  const isUp = pluginsOf(after).some(({ id }) => id === plugin)
  if (isUp) await refusePending(source, plugin, after)
  else if (settings.length > 0) await checkOff(source, target, changes)
  return changes
}

function validated(
  { base }: ChangeSource,
  plugin: string,
  changes: PlatformChanges
): Promise<Platform> {
  return validatePlatform({ ...base, changes }).catch((error: unknown) => {
    throw KeelsonError.is(error) ? changeRefused(plugin, error) : error
  })
}

function findTarget(platform: Platform, plugin: string): FoundTarget | undefined {
  const up = pluginsOf(platform).find(({ id }) => id === plugin)
  if (up !== undefined) return { known: up, isUp: true, definition: async () => up.definition }
  const { known, load } = platform.disabled.find(({ id }) => id === plugin) ?? {}
  if (known === undefined || load === undefined) return undefined
  return { known, isUp: false, definition: load }
}

/** One that the config does not name, but whose package is there. */
async function findInstalled(
  { base }: Pick<ChangeSource, 'base'>,
  { plugin, changes, before }: Looked
): Promise<FoundTarget | undefined> {
  if (!/^[a-z][a-z0-9-]*$/.test(plugin)) return undefined
  const installed = await installedPackages(before.baseDir)
  const { name } = installed.find(({ manifest }) => manifest.id === plugin) ?? {}
  const other =
    name === undefined || impliedPackages(plugin).includes(name) ? {} : { package: name }
  const named = { ...changes, [plugin]: { enabled: false, ...other } }
  const found = findTarget(await validatePlatform({ ...base, changes: named }), plugin)
  return found && { ...found, ...other }
}

/** A plugin that is looked for, and the platform that does not have it. */
interface Looked {
  readonly plugin: string
  readonly changes: PlatformChanges
  readonly before: Platform
}

function unknownPlugin(platform: Platform, plugin: string): KeelsonError {
  const ids = [...pluginsOf(platform), ...platform.disabled].map(({ id }) => id)
  const near = nearestName(plugin, ids)
  const hint = near === undefined ? `It has ${ids.join(', ')}.` : `Did you mean ${near}?`
  return errors.KRN_CHANGE_UNKNOWN({ plugin, hint })
}

/** Whether its end would leave the administrator without the way back. */
export function isKept({ manifest }: Pick<KnownPlugin, 'manifest'>): boolean {
  const hasSignIn = (manifest.provides ?? []).includes(authViewer.id)
  return hasSignIn || usedBy(manifest).some(({ capability }) => capability === kernelPlugins.id)
}

async function changedConfig(
  { known, definition }: FoundTarget,
  old: PlainObject,
  settings: readonly SettingChange[]
): Promise<PlainObject> {
  if (settings.length === 0) return old
  const { config: schema } = await definition()
  const fields = new Set(fieldsOf({ schema, value: {}, changed: {} }).map((field) => field.path))
  return settings.reduce<PlainObject>((config, { path, value, reset }) => {
    if (!fields.has(path)) throw errors.KRN_CHANGE_FIELD({ plugin: known.id, path })
    const written =
      reset === true ? undefined : writtenValue({ plugin: known.id, path }, schema, value)
    return withValue(config, partsOfPath(path), written)
  }, old)
}

/** The start of one that is off does not check its settings, so that is done here. */
async function checkOff(
  { base }: ChangeSource,
  { known, definition }: FoundTarget,
  changes: PlatformChanges
): Promise<void> {
  const { config: schema } = await definition()
  const { value, filled } = await settingsIn(base, known.id, changes)
  const path = `plugins.${known.id}.config`
  const checked = checkSettings({ plugin: known.id, schema, value, path, filled })
  if (!checked.ok) throw changeRefused(known.id, joined(checked.problems))
}

/** What config and changes set for a plugin, with its placeholders filled. */
async function settingsIn(
  base: ChangeSource['base'],
  plugin: string,
  changes: PlatformChanges
): Promise<{ readonly value: unknown; readonly filled: ReadonlyMap<string, string> }> {
  const text = await readPlatformText({ ...base, changes })
  const checked = checkConfig(text, base.env ?? process.env)
  if (!checked.ok) return { value: {}, filled: new Map() }
  const { config, filled } = checked.read
  return { value: config.plugins?.[plugin]?.config ?? {}, filled }
}

/** The settings of a plugin as fields; undefined when the platform does not have it. */
export async function readFields(
  { base, db }: Pick<ChangeSource, 'base' | 'db'>,
  plugin: string
): Promise<readonly SettingField[] | undefined> {
  const changes = (await newestRevision(db))?.changes ?? {}
  const before = await validatePlatform({ ...base, changes })
  const target =
    findTarget(before, plugin) ?? (await findInstalled({ base }, { plugin, changes, before }))
  if (target === undefined) return undefined
  const { config: schema } = await target.definition()
  const given = await settingsIn(base, plugin, changes)
  const path = `plugins.${plugin}.config`
  const { value } = fit(schema, given.value, { path, filled: given.filled, defaults: true })
  return fieldsOf({ schema, value, changed: changes[plugin]?.config ?? {} })
}

/** A start that may not change the database would be refused. */
async function refusePending({ db }: ChangeSource, plugin: string, after: Platform): Promise<void> {
  if (after.config.storage?.apply !== 'check') return
  const planned: PlannedPlugin[] = pluginsOf(after).map(({ manifest, definition }) => ({
    manifest,
    migrations: definition.migrations
  }))
  const { steps } = await planStorage(db, planned)
  if (steps.length === 0) return
  const list = steps.map((step) => `- ${stepText(step)}`).join('\n')
  throw errors.KRN_CHANGE_PENDING({ plugin, count: steps.length, list })
}
