// A plugin from its prepare to its close: what the kernel holds for it.
import type { BoundOperation, Clock } from '@keelson/sdk'
import {
  createPublicFetch,
  type LimitedFetch,
  namedAddresses,
  type PublicFetch
} from '@keelson/sdk/network'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Dispatcher } from 'undici'
import type { HealthProbe } from '../health/health-check.ts'
import type { PluginStatus } from '../health/plugin-state.ts'
import type { RouteOwner } from '../http/owner.ts'
import { configuredHosts, operatorHosts } from '../network/configured-hosts.ts'
import { callerOf, createOutbound } from '../network/outbound.ts'
import type { PlatformPlugin } from '../platform/platform.ts'
import { tenantsAt } from '../platform/tenants.ts'
import { openCollections, type PluginCollections } from '../storage/collections.ts'
import type { Storage } from '../storage/connect.ts'
import { pluginLog } from './log-lines.ts'

export interface RunningPlugin {
  readonly plugin: PlatformPlugin
  readonly status: PluginStatus
  readonly log: FastifyBaseLogger
  /** Aborted when the host drains, or when the plugin has failed. */
  readonly stop: AbortController
  readonly collections: PluginCollections
  readonly outbound: LimitedFetch
  readonly fetchPublic: PublicFetch
  readonly owner: RouteOwner
  /** Names of declared things that `register` has supplied so far. */
  readonly supplied: Record<'jobs' | 'queues' | 'provides', Set<string>>
  /** Operations that `register` has asked to serve and that are not registered yet. */
  readonly served: BoundOperation[]
  /** Operations that answer numbers of the navigation, by their path. */
  readonly badges: Map<string, BoundOperation>
  /** Health checks by name. */
  readonly probes: Map<string, HealthProbe>
  readonly onRegistered: ((app: FastifyInstance) => Promise<void> | void)[]
  readonly onReady: (() => Promise<void> | void)[]
  readonly onClose: (() => Promise<void> | void)[]
  /** `register` may be called once, and host.route and its like only during it. */
  isRegistering: boolean
  /** What went wrong in `register`, until it is settled. */
  failure: unknown
}

export interface RunningOptions {
  readonly storage: Storage
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  readonly status: PluginStatus
  /** The test kit's. */
  readonly outboundMock?: Dispatcher | undefined
}

export function openPlugin(plugin: PlatformPlugin, options: RunningOptions): RunningPlugin {
  const { id, manifest, routes, settings } = plugin
  const { network = [] } = manifest
  const mock = options.outboundMock
  return {
    plugin,
    status: options.status,
    log: pluginLog(options.log, id, settings.secrets),
    stop: new AbortController(),
    collections: openCollections(options.storage, manifest),
    outbound: createOutbound({
      plugin: id,
      hosts: configuredHosts(network, settings.all),
      mock
    }),
    fetchPublic: createPublicFetch({
      caller: callerOf(id),
      allow: namedAddresses(operatorHosts(network, settings.all)),
      mock
    }),
    owner: {
      plugin: id,
      status: options.status,
      declared: new Map(routes.map((route) => [route.key, route])),
      registered: new Set(),
      verifiers: new Map(),
      scopes: new Map(),
      tenantsAt: (place) => tenantsAt(place, settings.all),
      arm: []
    },
    supplied: { jobs: new Set(), queues: new Set(), provides: new Set() },
    served: [],
    badges: new Map(),
    probes: new Map(),
    onRegistered: [],
    onReady: [],
    onClose: [],
    isRegistering: false,
    failure: undefined
  }
}
