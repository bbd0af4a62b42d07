// What the phases share: the app, the parts of the kernel, and how far the start has come.
import type { Clock, KeelsonConfig, KeelsonPlugin, OriginRule } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { requestSpans } from '@keelson/sdk/contracts/request-spans'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Dispatcher } from 'undici'
import { newestRevision } from '../changes/revisions.ts'
import { errors } from '../errors/errors.ts'
import { createRedactor } from '../errors/redact.ts'
import type { PermissionBook } from '../guards/admission.ts'
import type { PlatformLimits } from '../guards/limits.ts'
import { createViewers, type ResolveViewer, type Viewers } from '../guards/viewer.ts'
import { createMetrics, type MetricsRegistry } from '../health/metrics.ts'
import { createPageFailures, type PageFailures } from '../health/page-failures.ts'
import { createPluginStates, type PluginStates } from '../health/plugin-state.ts'
import { createMeasuring, type Measuring } from '../http/measure.ts'
import { type Capabilities, createCapabilities } from '../platform/capabilities.ts'
import type { HostRule } from '../platform/host-rule.ts'
import { type KernelAddresses, kernelAddresses } from '../platform/kernel-addresses.ts'
import type { KnownPlugin, Platform } from '../platform/platform.ts'
import type { PublishedSecret } from '../platform/published-secrets.ts'
import type { Role } from '../role.ts'
import { createSchedule, type Schedule } from '../schedule/schedule.ts'
import type { Ticker } from '../schedule/ticker.ts'
import { registerShell, type Shell } from '../shell/shell.ts'
import { connectStorage, type Storage } from '../storage/connect.ts'
import { applyPlan, planStorage } from '../storage/plan.ts'
import { systemClock } from '../system-clock.ts'
import type { HostSeams } from './host.ts'
import type { HealthReader } from './plugin-health.ts'
import type { RunningPlugin } from './running-plugin.ts'
import { findSupervisor, type Supervisor } from './supervisor.ts'

/** How long the kernel waits for what others do, in milliseconds. */
export interface Deadlines {
  /** A plugin's `prepare`. */
  readonly prepare: number
  /** Answers in hand when the close begins; then their connections are cut. */
  readonly requests: number
  /** The close callbacks of one plugin. */
  readonly pluginClose: number
  /** The whole close. */
  readonly close: number
}

const DEADLINES: Deadlines = { prepare: 300_000, requests: 5_000, pluginClose: 2_000, close: 9_500 }

/** What tests put in the place of the real thing. */
export interface KernelSeams {
  readonly connect: typeof connectStorage
  readonly planStorage: typeof planStorage
  readonly applyPlan: typeof applyPlan
  readonly createSchedule: typeof createSchedule
  readonly newestRevision: typeof newestRevision
  readonly registerShell: typeof registerShell
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ticker?: Ticker
  readonly supervisor?: Supervisor
  readonly outboundMock?: Dispatcher
}

const realSeams = (): KernelSeams => ({
  connect: connectStorage,
  planStorage,
  applyPlan,
  createSchedule,
  newestRevision,
  registerShell,
  clock: systemClock,
  deadlines: DEADLINES,
  env: process.env
})

export interface KernelOptions {
  /** The config, or the path of a keelson.config.json, .js or .ts. Default: no settings. */
  readonly config?: KeelsonConfig | string
  /** Plugins given in code. They run unless the config says otherwise. */
  readonly plugins?: readonly KeelsonPlugin[]
  /**
   * Answers who is signed in, once per request. It is called in `onRequest`, before the body is read; in an app that
   * has hooks for `preParsing` or `preValidation`, after them, because a sign-in such as @fastify/passport restores
   * its session there. Register the sign-in before the kernel. Default: the provider of `auth.viewer/v1`.
   */
  readonly resolveViewer?: ResolveViewer
  /** What this process does. Default: `all`. */
  readonly role?: Role
  /**
   * Puts everything below it, like `/platform`: shell, sign-in, plugins, operations. Only addresses
   * that a standard fixes (`/.well-known/…`) stay where they are. Default: nothing.
   */
  readonly prefix?: string
  /**
   * The name or address that the app will listen on, as `app.listen({ host })` takes it. When it is given, requests
   * must name this platform (`auth.hosts`), as they must where `auth.publicUrl` is set; and where others can reach
   * it, a secret of the config must not have the default that anyone can read. Default: not known.
   */
  readonly listenHost?: string
  /** Aborts the start while plugins are still preparing. */
  readonly signal?: AbortSignal
}

export type KernelPhase =
  | 'validate'
  | 'plan'
  | 'prepare'
  | 'register'
  | 'ready'
  | 'drain'
  | 'closed'

export interface Kernel {
  readonly app: FastifyInstance
  readonly options: KernelOptions
  readonly seams: KernelSeams
  readonly role: Role
  readonly log: FastifyBaseLogger
  readonly metrics: MetricsRegistry
  readonly measuring: Measuring
  readonly capabilities: Capabilities
  readonly viewers: Viewers
  readonly permissions: PermissionBook
  readonly states: PluginStates
  readonly pageFailures: PageFailures
  /** Aborted, with a KRN_ error, when the start is aborted and when the host drains. */
  readonly stop: AbortController
  /** In the order they start. */
  readonly running: RunningPlugin[]
  /** Plugins that are here and do not start. */
  readonly absent: KnownPlugin[]
  /** Collection → plugin, for the attribution of database commands. */
  readonly collectionOwners: Map<string, string>
  phase: KernelPhase
  /** Viewers are asked for after the host's hooks that run before the validation: one may be its sign-in. */
  asksLate: boolean
  /** The connection to the database, from the moment it is begun. */
  connecting: Promise<Storage> | undefined
  /** Where the kernel serves what it serves itself; final after the validate phase. */
  addresses: KernelAddresses
  /** The revision of the platform's settings that it starts with; 0 for the config alone. */
  revision: number
  /** What started this process, where `keelson serve` did. */
  readonly supervisor: Supervisor | undefined
  /** Set at the end of the register phase, except in a worker. */
  shell: Shell | undefined
  /** The error that ended the start. */
  failure: unknown
  /** Strikes secrets out of a text. */
  redact(text: string): string
  addSecrets(values: readonly string[]): void
}

/** A kernel that knows its platform: what the validate phase hands on. */
export interface ValidKernel extends Kernel {
  readonly platform: Platform
  readonly originRule: OriginRule
  /** Undefined where requests may name any host. */
  readonly hostRule: HostRule | undefined
  /** Secrets whose values in use anyone can read in the config. */
  readonly published: readonly PublishedSecret[]
}

/** A kernel with its database: what the plan phase hands on, and what every later phase takes. */
export interface OpenKernel extends ValidKernel {
  readonly storage: Storage
  readonly schedule: Schedule
  readonly limits: PlatformLimits
  readonly health: HealthReader
}

/**
 * For calls that come from outside of the phases: hooks, the host, tools.
 *
 * @throws KRN_NOT_OPEN before the plan phase has opened the database
 */
export function openKernel(kernel: Kernel): OpenKernel {
  if (!isOpen(kernel)) throw errors.KRN_NOT_OPEN({ phase: kernel.phase })
  return kernel
}

export function isOpen(kernel: Kernel): kernel is OpenKernel {
  return 'storage' in kernel
}

/** Makes the state of a kernel. Nothing is read, connected or registered yet. */
export function createKernelState(
  app: FastifyInstance,
  options: KernelOptions,
  given: Partial<KernelSeams>
): Kernel {
  const seams = { ...realSeams(), ...given }
  const metrics = createMetrics()
  const capabilities = createCapabilities()
  const secrets = new Set<string>()
  let redact = createRedactor([])
  const redactLater = (text: string) => redact(text)
  const sinks = capabilities.contributions(requestSpans)
  return {
    app,
    options,
    seams,
    role: options.role ?? 'all',
    log: app.log,
    metrics,
    measuring: createMeasuring({ metrics, clock: seams.clock, sinks, log: app.log }),
    capabilities,
    viewers: createViewers(() => options.resolveViewer ?? providedResolver(capabilities)),
    permissions: new Map(),
    states: createPluginStates(redactLater),
    pageFailures: createPageFailures({ clock: seams.clock, log: app.log, redact: redactLater }),
    stop: new AbortController(),
    running: [],
    absent: [],
    collectionOwners: new Map(),
    phase: 'validate',
    asksLate: false,
    connecting: undefined,
    addresses: kernelAddresses({}, options.prefix),
    revision: 0,
    supervisor: seams.supervisor ?? findSupervisor(seams.env),
    shell: undefined,
    failure: undefined,
    redact: redactLater,
    addSecrets(values) {
      for (const value of values) secrets.add(value)
      redact = createRedactor([...secrets])
    }
  }
}

function providedResolver(capabilities: Capabilities): ResolveViewer | undefined {
  const provided = capabilities.value(authViewer)
  return provided?.resolveViewer.bind(provided)
}

/** What a host object of a plugin is made from. */
export function hostSeamsOf(kernel: OpenKernel): HostSeams {
  const { storage, schedule, limits, capabilities, viewers, permissions } = kernel
  const { seams, metrics, addresses } = kernel
  return {
    storage,
    schedule,
    limits,
    clock: seams.clock,
    capabilities,
    viewers,
    permissions,
    redact: (text) => kernel.redact(text),
    originRule: kernel.originRule,
    prefix: addresses.prefix,
    signIn: kernel.platform.config.auth?.signIn ?? addresses.signIn,
    publicUrl: kernel.platform.config.auth?.publicUrl?.replace(/\/+$/, '') || undefined,
    locale: kernel.platform.config.shell?.locale ?? 'en',
    metricsFor: (plugin) => metrics.forPlugin(plugin)
  }
}

/** The id under which a collection's commands are counted. */
export function ownerOfCollection(kernel: Kernel, collection: string): string {
  return kernel.collectionOwners.get(collection) ?? 'kernel'
}
