// kernel.plugins/v1: which plugins a platform has, and what switches and configures them while it runs.
import type { Actor } from '../operation/actor.ts'
import { type Capability, defineCapability } from './contract.ts'

/** What a plugin asks the platform for, from its manifest. */
export interface PluginAsks {
  /** Capabilities and extension points of other plugins. */
  readonly uses: readonly string[]
  /** Hosts that it calls, as `host[:port]`. */
  readonly network: readonly string[]
  /** Permissions that its routes name, as `mailer.publish`. */
  readonly permissions: readonly string[]
  readonly routes: number
  readonly jobs: number
  readonly collections: number
  readonly pages: number
}

/** A plugin of the platform. */
export interface InstalledPlugin {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description: string
  /** As `/health/plugins` has it. */
  readonly state: 'ready' | 'disabled' | 'failed' | 'degraded'
  /** Why it is not ready, and what to do. */
  readonly reason?: string
  readonly remedy?: string
  /** Whether it starts by the newest settings; `state` may still be of the settings before. */
  readonly enabled: boolean
  /** Enabled plugins that do not start without it. */
  readonly neededBy: readonly string[]
  /** It has the sign-in or this switch itself: only the command line disables it. */
  readonly isKept: boolean
  readonly asks: PluginAsks
}

/** Why a revision did not start. */
export interface RevisionFailure {
  readonly code: string
  /** What, where and what to do. */
  readonly message: string
  readonly plugin?: string
  /** The machine and process that tried. */
  readonly where: string
}

/** One change of the settings of the platform: a row of its audit log. */
export interface SettingsRevision {
  readonly revision: number
  readonly plugin: string
  readonly action: 'enable' | 'disable' | 'configure'
  /** The settings that were changed, by path. Never their values. */
  readonly fields: readonly string[]
  /** Who, as audit logs name it. */
  readonly by: string
  readonly via: string
  readonly ip?: string
  readonly at: Date
  /** `new` until a process has started with it. */
  readonly state: 'new' | 'applied' | 'failed'
  readonly appliedAt?: Date
  readonly failure?: RevisionFailure
}

/** The plugins, and how far the newest change is. */
export interface PlatformState {
  /** Under `keelson serve` changes apply within seconds; else at the next start. */
  readonly isServed: boolean
  /** The revision that this process runs; 0 for the config file alone. */
  readonly running: number
  /** The newest that did not fail. */
  readonly wanted: number
  /** The newest change, whatever became of it. */
  readonly last?: SettingsRevision
  readonly plugins: readonly InstalledPlugin[]
}

/** One setting of a plugin, for a form. Lists and other shapes are edited as JSON. */
export interface SettingField {
  /** As `inbound.secret`. */
  readonly path: string
  readonly title: string
  readonly description?: string
  readonly type: 'boolean' | 'integer' | 'number' | 'text' | 'choice' | 'json'
  readonly choices?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  /** Its value is never sent; a new one is the name of an environment variable. */
  readonly isSecret: boolean
  /** It has a value: of the settings, of the file, or a default. */
  readonly isSet: boolean
  /** The settings of the platform give it. */
  readonly isChanged: boolean
  /** The value in force; undefined for secrets. */
  readonly value?: unknown
}

/** A setting to change: a new value, or back to what the config file says. */
export interface SettingChange {
  readonly path: string
  readonly value?: unknown
  readonly reset?: true
}

/** What to do to a plugin. */
export interface PluginChangeRequest {
  readonly plugin: string
  readonly enabled?: boolean
  readonly settings?: readonly SettingChange[]
}

/**
 * Switches and configures plugins while the platform runs. A change is checked first; what passes is a new revision
 * of the settings, which every process starts with by itself.
 */
export interface KernelPlugins {
  state(): Promise<PlatformState>
  /** The settings of a plugin; undefined when the platform does not have it. */
  fields(plugin: string): Promise<readonly SettingField[] | undefined>
  /**
   * Resolves with the new revision; undefined when the plugin is so already.
   *
   * @throws KRN_CHANGE_UNKNOWN, KRN_CHANGE_NEEDED, KRN_CHANGE_KEPT, KRN_CHANGE_REFUSED, KRN_CHANGE_PENDING,
   * KRN_CHANGE_SECRET, KRN_CHANGE_CONFLICT; then nothing is changed
   */
  change(actor: Actor, request: PluginChangeRequest): Promise<SettingsRevision | undefined>
  /** The newest changes first, at most 200. */
  history(): Promise<readonly SettingsRevision[]>
}

/** The kernel provides it. A plugin that uses it has the power of the platform's administrator, and asks for that. */
export const kernelPlugins: Capability<KernelPlugins> =
  defineCapability<KernelPlugins>('kernel.plugins/v1')
