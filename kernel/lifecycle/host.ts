// The host object of a plugin: everything it may ask of the kernel, held to what it declared.
import {
  type BatchHandler,
  bindOperations,
  type Capability,
  type Clock,
  type ContractFault,
  corsConfig,
  createNotify,
  type ExtensionPoint,
  type HealthCheck,
  type Host,
  type JobHandler,
  type JobOptions,
  type Metrics,
  type Notify,
  type NotifyFetch,
  type Operation,
  type OriginRule,
  openLeases,
  type PrepareHost,
  type QueueHandler,
  type QueueItem,
  type RouteContext,
  type RouteHandler,
  type RouteOptions,
  runTransaction
} from '@keelson/sdk'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Document } from 'mongodb'
import { errors } from '../errors/errors.ts'
import type { PermissionBook } from '../guards/admission.ts'
import type { PluginLimits } from '../guards/limits.ts'
import { stateOf, type Viewers, viewerOfPublic } from '../guards/viewer.ts'
import { createProbe } from '../health/health-check.ts'
import { markPersonal } from '../http/personal-answers.ts'
import { addressAt, joinAddress, routeKey } from '../platform/addresses.ts'
import { usedBy } from '../platform/agreement.ts'
import { type Capabilities, idOf, type Named } from '../platform/capabilities.ts'
import { declaredQueue } from '../schedule/plugin-queue.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Storage } from '../storage/connect.ts'
import type { RunningPlugin } from './running-plugin.ts'

export interface HostSeams {
  readonly storage: Storage
  readonly schedule: Schedule
  readonly clock: Clock
  readonly capabilities: Capabilities
  readonly viewers: Viewers
  readonly originRule: OriginRule
  readonly permissions: PermissionBook
  readonly limits: PluginLimits
  redact(text: string): string
  readonly prefix: string
  /** Address of the sign-in page. */
  readonly signIn: string | undefined
  readonly publicUrl: string | undefined
  readonly locale: string
  /** What the names of leases and notifications begin with, where several hosts share a database. */
  readonly namespace?: string
  metricsFor(plugin: string): Metrics
}

/** Where the routes of a plugin go: below its mount, and at absolute addresses. */
export interface HostScopes {
  readonly mounted: FastifyInstance
  readonly root: FastifyInstance
}

export function createPrepareHost(running: RunningPlugin, seams: HostSeams): PrepareHost {
  const { plugin, log, collections, outbound, fetchPublic, stop } = running
  return {
    id: plugin.id,
    log,
    collection: <T extends Document>(name: string) => collections.collection<T>(name),
    withTransaction: (fn) => runTransaction(seams.storage.client, fn),
    payloadIndexes: (collection, indexes) => collections.payloadIndexes(collection, indexes),
    lease: openLeases({ db: seams.storage.db, clock: seams.clock, owner: ownerOf(running, seams) }),
    clock: seams.clock,
    signal: stop.signal,
    fetch: outbound.fetch,
    fetchPublic
  }
}

export function createHost(running: RunningPlugin, seams: HostSeams, scopes: HostScopes): Host {
  const { plugin } = running
  const prepared = createPrepareHost(running, seams)
  const host: Host = {
    ...prepared,
    ...capabilityParts(running, seams.capabilities),
    ...scheduleParts(running, seams.schedule),
    mount: plugin.mount,
    prefix: seams.prefix,
    signIn: seams.signIn,
    publicUrl: seams.publicUrl,
    locale: seams.locale,
    // The types of a handler end here: Fastify holds requests to the schemas.
    route: (options) => addRoute(running, seams, scopes, options as unknown as RouteOptions),
    serve: (operations: readonly Operation<never>[], services?: unknown) => {
      demandRegistering(running, 'serve')
      running.served.push(...bindOperations(operations, (services ?? host) as never))
    },
    permissions(rule) {
      demandRegistering(running, 'permissions')
      if (seams.permissions.has(plugin.id)) {
        const what = 'a rule of permissions'
        throw errors.KRN_HANDLER_TWICE({ plugin: plugin.id, path: 'permissions', what })
      }
      seams.permissions.set(plugin.id, rule)
    },
    limit(name, options) {
      demandRegistering(running, 'limit')
      return seams.limits.limit(plugin.id, name, options)
    },
    health: (name, check) => addHealthCheck(running, seams, name, check),
    notify: notifyOf(running, seams, prepared),
    metrics: seams.metricsFor(plugin.id),
    onRegistered(fn) {
      demandRegistering(running, 'onRegistered')
      running.onRegistered.push(fn)
    },
    onReady: (fn) => void running.onReady.push(fn),
    onClose: (fn) => void running.onClose.push(fn),
    resolveViewer: (request) => seams.viewers.of(request),
    fastify: scopes.mounted
  }
  return host
}

/** Whose leases and notifications they are. */
const ownerOf = ({ plugin }: RunningPlugin, { namespace = '' }: HostSeams): string =>
  `${namespace}${plugin.id}`

function notifyOf(running: RunningPlugin, seams: HostSeams, { lease }: PrepareHost): Notify {
  const { plugin, fetchPublic } = running
  const { storage, limits, clock } = seams
  return createNotify({
    db: storage.db,
    clock,
    owner: ownerOf(running, seams),
    fetch: fetchPublic as NotifyFetch,
    lease,
    limit: (name, options) => limits.limit(plugin.id, name, options)
  })
}

/** Routes, jobs and queues must be known before the host is ready. */
function demandRegistering({ plugin, isRegistering }: RunningPlugin, what: string): void {
  if (!isRegistering) throw errors.KRN_TOO_LATE({ plugin: plugin.id, what })
}

function addHealthCheck(
  running: RunningPlugin,
  { clock, redact }: HostSeams,
  name: string,
  check: HealthCheck
): void {
  const { plugin, probes, log, stop } = running
  demandRegistering(running, 'health')
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
    throw errors.KRN_HEALTH_NAME({ plugin: plugin.id, check: name })
  }
  if (probes.has(name)) {
    const what = `the health check ${name}`
    throw errors.KRN_HANDLER_TWICE({ plugin: plugin.id, path: 'health', what })
  }
  const probe = createProbe({
    plugin: plugin.id,
    name,
    check,
    clock,
    log,
    stop: stop.signal,
    redact
  })
  probes.set(name, probe)
}

function addRoute(
  running: RunningPlugin,
  { viewers, originRule }: HostSeams,
  { mounted, root }: HostScopes,
  { method, path, schema, verify, scopes, viewer, cors, handler }: RouteOptions
): void {
  demandRegistering(running, 'route')
  const { declared, verifiers, scopes: scopesOf } = running.owner
  const base = mounted.prefix
  const key = routeKey(method, joinAddress(base === '' ? '/' : base, path))
  const absolute = addressAt(running.plugin.prefix, path)
  const isBelowMount = declared.has(key) || !declared.has(routeKey(method, absolute))
  const found = declared.get(isBelowMount ? key : routeKey(method, absolute))
  if (verify !== undefined && found !== undefined) verifiers.set(found.key, verify)
  if (scopes !== undefined && found !== undefined) scopesOf.set(found.key, scopes)
  const scope = isBelowMount ? mounted : root
  scope.route({
    method,
    url: isBelowMount ? path : absolute,
    ...(schema !== undefined && { schema }),
    ...(cors !== undefined && { config: corsConfig(cors) }),
    handler: withContext(handler, {
      viewers,
      originRule,
      isPublic: found?.declared.auth === 'public',
      wantsViewer: viewer === 'optional'
    })
  })
}

const ANONYMOUS: RouteContext = Object.freeze({ viewer: null, machine: null })

/** Gives a handler its context. A public route without a viewer costs nothing. */
function withContext(
  handler: RouteHandler,
  route: Pick<HostSeams, 'viewers' | 'originRule'> & {
    readonly isPublic: boolean
    readonly wantsViewer: boolean
  }
): RouteHandlerMethod {
  if (!route.isPublic) return (request, reply) => handler(request, reply, stateOf(request))
  if (!route.wantsViewer) return (request, reply) => handler(request, reply, ANONYMOUS)
  return async (request: FastifyRequest, reply) => {
    markPersonal(reply)
    await viewerOfPublic(route, request)
    return handler(request, reply, stateOf(request))
  }
}

function capabilityParts(
  { plugin, supplied }: RunningPlugin,
  capabilities: Capabilities
): Pick<Host, 'provide' | 'use' | 'extend' | 'contributions' | 'contributors'> {
  const { id, manifest } = plugin
  const uses = new Map(usedBy(manifest).map((use) => [use.capability, use]))
  const own = (named: Named): Named => {
    const point = idOf(named)
    if ((manifest.extensionPoints ?? []).includes(point)) return named
    throw errors.KRN_POINT_FOREIGN({ plugin: id, path: 'extensionPoints', point })
  }
  return {
    provide<T>(named: Named<Capability<T>>, value: T) {
      const capability = idOf(named)
      if (!(manifest.provides ?? []).includes(capability)) {
        throw errors.KRN_PROVIDE_UNDECLARED({ plugin: id, path: 'provides', capability })
      }
      if (supplied.provides.has(capability)) {
        throw errors.KRN_HANDLER_TWICE({ plugin: id, path: 'provides', what: capability })
      }
      const fault = capabilities.provide(id, named, value)
      if (fault !== undefined) {
        throw errors.KRN_PROVIDE_UNFIT({ plugin: id, capability, ...faultSlots(fault) })
      }
      supplied.provides.add(capability)
    },
    use: <T>(named: Named<Capability<T>>, options?: { readonly optional: boolean }) => {
      const capability = idOf(named)
      const use = uses.get(capability)
      if (use === undefined) {
        throw errors.KRN_USE_UNDECLARED({ plugin: id, path: 'uses', capability })
      }
      const value = capabilities.value(named)
      if (value !== undefined) return value as T
      if (!use.isOptional) {
        throw errors.KRN_USE_TOO_EARLY({ plugin: id, path: use.path, capability })
      }
      // A bare id has no type that would say so.
      const mayBeAbsent = options?.optional === true || typeof named === 'string'
      if (!mayBeAbsent) throw errors.KRN_USE_ABSENT({ plugin: id, path: use.path, capability })
      return undefined as T
    },
    extend<T>(named: Named<ExtensionPoint<T>>, contribution: T) {
      const point = idOf(named)
      if (!uses.has(point)) throw errors.KRN_POINT_UNDECLARED({ plugin: id, path: 'uses', point })
      const fault = capabilities.extend(id, named, contribution)
      if (fault !== undefined) {
        throw errors.KRN_CONTRIBUTION_UNFIT({ plugin: id, point, ...faultSlots(fault) })
      }
    },
    contributions: <T>(named: Named<ExtensionPoint<T>>) =>
      capabilities.contributions<T>(own(named) as ExtensionPoint<T>),
    contributors: (named: Named) => capabilities.contributors(own(named))
  }
}

const faultSlots = ({ path, reason }: ContractFault) => ({
  path: path === '' ? 'the value' : path,
  reason
})

function scheduleParts(running: RunningPlugin, schedule: Schedule): Pick<Host, 'job' | 'queue'> {
  const { plugin, log, supplied, collections } = running
  const { id, manifest } = plugin
  const owner = { plugin: id, log }
  const once = (kind: 'jobs' | 'queues', name: string) => {
    if (supplied[kind].has(name)) {
      throw errors.KRN_HANDLER_TWICE({ plugin: id, path: kind, what: `a handler for ${name}` })
    }
    supplied[kind].add(name)
  }
  return {
    job(name: string, handler: JobHandler, { part, ...changed }: JobOptions = {}) {
      demandRegistering(running, 'job')
      const spec = (manifest.jobs ?? []).find((job) => job.name === name)
      const own = part === undefined ? name : `${name}.${part}`
      const isInParts = spec?.inParts === true
      if (spec === undefined || isInParts !== (part !== undefined))
        throw errors.KRN_JOB_UNDECLARED({ plugin: id, path: 'jobs', job: own })
      once('jobs', own)
      const { cron, ...plain } = spec
      const timed = changed.every === undefined && cron !== undefined ? { ...plain, cron } : plain
      return schedule.job(owner, { ...timed, ...changed, name: own }, handler)
    },
    queue<T extends QueueItem>(name: string, handler: QueueHandler<T> | BatchHandler<T>) {
      demandRegistering(running, 'queue')
      const spec = declaredQueue(manifest, name)
      once('queues', name)
      return schedule.queue<T>(owner, spec, collections.collection<T>(spec.collection), handler)
    }
  }
}
