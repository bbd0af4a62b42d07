// One plugin of a host without the kernel: checked, opened, registered.
import type { Host, KeelsonPlugin } from '@keelson/sdk'
import {
  collectionNaming,
  collectionPrefix as declaredPrefix,
  type NameCollection,
  withCollectionNames
} from '@keelson/sdk/storage'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Document } from 'mongodb'
import type { Dispatcher } from 'undici'
import { errors } from '../errors/errors.ts'
import type { PluginStates } from '../health/plugin-state.ts'
import { createHost, createPrepareHost, type HostSeams } from '../lifecycle/host.ts'
import { openPlugin, type RunningPlugin } from '../lifecycle/running-plugin.ts'
import { foundInline } from '../platform/find-plugins.ts'
import { kernelAddresses } from '../platform/kernel-addresses.ts'
import { validateOne } from '../platform/validate.ts'
import type { MigrationCode } from '../storage/migrate.ts'

/** How a plugin runs on a host without the kernel. */
export interface StandalonePlugin {
  /** Its config. Texts are taken as they are: there are no placeholders. */
  readonly config?: Readonly<Record<string, unknown>>
  /** What errors call its config. Default `config`. */
  readonly configPath?: string
  /** Takes the place of the manifest's `collectionPrefix`. Default: that one, after the namespace of the host. */
  readonly collectionPrefix?: string
}

/** A plugin that was added. */
export interface AddedPlugin {
  readonly running: RunningPlugin
  /** As `register` gets it. */
  readonly host: Host
  readonly isComplete: boolean
  /** Its migrations, which ask for collections by their declared names as well. */
  readonly migrations: MigrationCode
  /** Runs `prepare` and `register`, once. */
  register(): Promise<void>
  /** Runs what the plugin does when all are registered. */
  complete(): Promise<void>
}

interface AddSeams {
  readonly added: readonly AddedPlugin[]
  readonly host: HostSeams
  readonly log: FastifyBaseLogger
  readonly states: PluginStates
  readonly outboundMock: Dispatcher | undefined
}

/** @throws a KRN_ error that names plugin, field path and remedy */
export function addPlugin(
  value: KeelsonPlugin,
  { config = {}, configPath = 'config', collectionPrefix }: StandalonePlugin,
  { added, host: seams, log, states, outboundMock }: AddSeams
): AddedPlugin {
  const found = foundInline({ value, source: 'the stand-alone host' }, {})
  const checked = validateOne(
    { ...found, entry: { config }, configPath, hasOwnOptions: true },
    {
      running: added.map(({ running }) => running.plugin),
      disabled: [],
      addresses: kernelAddresses()
    }
  )
  const prefix = collectionPrefix ?? `${seams.namespace ?? ''}${declaredPrefix(checked.manifest)}`
  const nameOf = collectionNaming(checked.manifest, prefix)
  const plugin = { ...checked, manifest: withCollectionNames(checked.manifest, nameOf) }
  const status = states.add(plugin.id, plugin.manifest.version)
  const { storage, clock } = seams
  const running = openPlugin(plugin, { storage, log, clock, status, outboundMock })
  // A factory makes its plugin before the host opens.
  running.isRegistering = true
  return opened(running, seams, nameOf)
}

function opened(running: RunningPlugin, seams: HostSeams, nameOf: NameCollection): AddedPlugin {
  const { definition, settings } = running.plugin
  const all = settings.all as never
  const host = standing(running, seams, nameOf)
  let isRegistered = false
  let isComplete = false
  const migrations = Object.entries(definition.migrations).map(
    ([id, migrate]): [string, MigrationCode[string]] => [
      id,
      (given) => migrate(named(given, nameOf))
    ]
  )
  return {
    running,
    host,
    migrations: Object.fromEntries(migrations),
    get isComplete() {
      return isComplete
    },
    async register() {
      if (isRegistered) return
      await definition.prepare?.(named(createPrepareHost(running, seams), nameOf), all)
      await definition.register(host, all)
      isRegistered = true
    },
    async complete() {
      for (const fn of running.onRegistered.splice(0)) await fn(appOf(running))
      running.isRegistering = false
      for (const fn of running.onReady) await fn()
      running.status.ready()
      isComplete = true
    }
  }
}

/** The host object of the kernel. Routes and operations are served by the routers of the factories. */
function standing(running: RunningPlugin, seams: HostSeams, nameOf: NameCollection): Host {
  const app = appOf(running)
  const host = createHost(running, seams, { mounted: app, root: app })
  return {
    ...named(host, nameOf),
    route: () => undefined,
    serve: () => undefined,
    // Routers are made when everything runs.
    limit: (name, options) => seams.limits.limit(running.plugin.id, name, options)
  }
}

/** A host whose plugin asks for collections by their declared names. */
function named<T extends Pick<Host, 'collection'> & Partial<Pick<Host, 'payloadIndexes'>>>(
  host: T,
  nameOf: NameCollection
): T {
  const { payloadIndexes } = host
  return {
    ...host,
    collection: <D extends Document>(name: string) => host.collection<D>(nameOf(name)),
    ...(payloadIndexes !== undefined && {
      payloadIndexes: (name: string, indexes: Parameters<Host['payloadIndexes']>[1]) =>
        payloadIndexes(nameOf(name), indexes)
    })
  }
}

/** There is no app before a router is registered. */
function appOf({ plugin }: RunningPlugin): FastifyInstance {
  const refuse = (): never => {
    throw errors.KRN_STANDALONE_APP({ plugin: plugin.id })
  }
  return new Proxy({} as FastifyInstance, { get: refuse })
}
