// What a validated platform is: its config and its plugins, in the order they start.
import type {
  KeelsonConfig,
  KeelsonError,
  Manifest,
  ManifestRoute,
  PluginDefinition
} from '@keelson/sdk'
import type { KernelAddresses } from './kernel-addresses.ts'
import type { PublishedSecret } from './published-secrets.ts'
import type { Settings } from './settings.ts'

/** A declared route with its absolute address. */
export interface PlannedRoute {
  /** `<METHOD> <address>`, by which declared and registered are compared. */
  readonly key: string
  readonly address: string
  readonly declared: ManifestRoute
  /** Where it is declared: `routes[0]`. */
  readonly path: string
}

/** A plugin whose manifest is good. */
export interface KnownPlugin {
  readonly id: string
  readonly manifest: Manifest
  /** Without a slash at its end; `/` for the root. */
  readonly mount: string
  /** The prefix of the platform, which the mount begins with; empty for none. */
  readonly prefix: string
  readonly routes: readonly PlannedRoute[]
  /** The folder of plugin.json, when there is one. */
  readonly folder: string | undefined
}

/** A plugin that is to start. */
export interface PlatformPlugin extends KnownPlugin {
  readonly definition: PluginDefinition
  readonly onFailure: 'abort' | 'disable'
  readonly settings: Settings
  /** Ids of plugins whose failure disables this one. */
  readonly needs: readonly string[]
}

/** A plugin that is here but does not start, and why. */
export interface DisabledPlugin {
  readonly id: string
  readonly version: string
  /** Undefined when its manifest could not be read. */
  readonly known: KnownPlugin | undefined
  /** Loads its code; undefined where that is not known. */
  readonly load?: (() => Promise<PluginDefinition>) | undefined
  readonly reason: KeelsonError
}

export interface Platform {
  readonly source: string
  readonly baseDir: string
  readonly config: KeelsonConfig
  readonly addresses: KernelAddresses
  /** In the order they start: layers of plugins that do not need each other. */
  readonly layers: readonly (readonly PlatformPlugin[])[]
  readonly disabled: readonly DisabledPlugin[]
  /** Secrets whose values in use anyone can read in the config. */
  readonly published: readonly PublishedSecret[]
}

/** Every plugin that is to start, in order. */
export function pluginsOf(platform: Pick<Platform, 'layers'>): PlatformPlugin[] {
  return platform.layers.flat()
}
