// What a plugin gets: the host object, and the types of its metrics.
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { ClientSession, Collection, Document } from 'mongodb'
import type { fetch as undiciFetch } from 'undici'
import type { Clock } from './clock.ts'
import type { Capability, ExtensionPoint } from './contracts/contract.ts'
import type { HealthCheck } from './health.ts'
import type { JobHandler, JobOptions, RegisteredJob } from './job.ts'
import type { TakeLease } from './lease/lease.ts'
import type { Limit, LimitOptions } from './limits/limiter.ts'
import type { Notify } from './notify/notify.ts'
import type { Operation } from './operation/operation.ts'
import type { BatchHandler, Queue, QueueHandler, QueueItem } from './queue/queue.ts'
import type { RouteOptions } from './route.ts'
import type { Viewer } from './viewer.ts'

/** A number that only grows. `by` defaults to 1. */
export interface CounterMetric {
  inc(labels?: Readonly<Record<string, string>>, by?: number): void
}
/** A number that goes up and down. */
export interface GaugeMetric {
  set(value: number, labels?: Readonly<Record<string, string>>): void
}
/** Observed values, counted by bucket. */
export interface HistogramMetric {
  observe(value: number, labels?: Readonly<Record<string, string>>): void
}

/** Prometheus metrics. Names get the prefix `keelson_<plugin>_`; labels must be few-valued. */
export interface Metrics {
  counter(name: string, description: string): CounterMetric
  gauge(name: string, description: string): GaugeMetric
  histogram(name: string, description: string, buckets?: readonly number[]): HistogramMetric
}

/** An index made from user configuration, within the collection's `payloadIndexBudget`. */
export interface PayloadIndex {
  readonly name: string
  readonly keys: Readonly<Record<string, 1 | -1>>
  readonly partial?: Document
}

/** Whether a viewer has a permission, by its name after the dot: `publish` of `mailer.publish`. */
export type PermissionRule = (viewer: Viewer, permission: string) => boolean | Promise<boolean>

/**
 * What a plugin's `register` receives. Everything asked of it must be declared in the manifest;
 * asking for anything else throws a `KRN_` error that names the plugin and the manifest path.
 */
export interface Host {
  readonly id: string
  /** Where the routes of this plugin are mounted. */
  readonly mount: string
  /** What all addresses of the platform are below, like `/platform`; empty at the root. */
  readonly prefix: string
  /** Where people sign in: the page that the config names, or the built-in form. Undefined without either. */
  readonly signIn: string | undefined
  /** `auth.publicUrl` of the config, without a slash at its end: the address that browsers use. */
  readonly publicUrl: string | undefined
  /** `shell.locale` of the config: the language tag of pages. Default `en`. */
  readonly locale: string
  readonly log: FastifyBaseLogger
  /** The driver's collection. Making or dropping indexes through it is refused. */
  collection<T extends Document = Document>(name: string): Collection<T>
  /** Runs `fn` in a transaction (majority, journaled); retried on conflict, so keep it idempotent. */
  withTransaction<T>(fn: (session: ClientSession) => Promise<T>): Promise<T>
  /**
   * Makes the user-configured indexes of a collection, and the declared ones that are `onDemand`, be exactly these. The
   * former are within its payload budget; of the latter the name is enough: the definition is the manifest's.
   */
  payloadIndexes(collection: string, indexes: readonly PayloadIndex[]): Promise<void>
  /**
   * Registers a route that the manifest declares. The handler gets the types of the route's schemas.
   *
   * @throws KRN_ROUTE_UNDECLARED, KRN_ROUTE_VERIFY, KRN_TOO_LATE after `register`
   * @example
   * host.route({
   *   method: 'GET',
   *   path: '/items/:id',
   *   schema: { params: Type.Object({ id: Type.String() }), response: { 200: itemSchema } },
   *   handler: async ({ params }) => findItem(params.id)
   * })
   */
  route<const S extends FastifySchema>(options: RouteOptions<S>): void
  /**
   * Serves operations, each at the address that the manifest declares for it. `run` gets this host, or what
   * is given in its place.
   *
   * @throws KRN_ROUTE_UNDECLARED, KRN_TOO_LATE after `register`
   * @example
   * host.serve([listNotes, addNote])
   * host.serve(adminOperations, context)
   */
  serve(operations: readonly Operation<Host>[]): void
  serve<H>(operations: readonly Operation<H>[], host: H): void
  /**
   * Decides who has the permissions that begin with the id of this plugin. Asked for each call of an operation
   * that names one, of any plugin, after its band. Without a rule everyone of the band has them.
   *
   * @throws KRN_HANDLER_TWICE, KRN_TOO_LATE after `register`
   */
  permissions(rule: PermissionRule): void
  /**
   * Gives the code of a declared job.
   *
   * @throws KRN_JOB_UNDECLARED, KRN_HANDLER_TWICE, KRN_TOO_LATE after `register`
   */
  job(name: string, handler: JobHandler, options?: JobOptions): RegisteredJob
  /**
   * Gives the code of a declared queue, and returns what adds items to it. A batch handler gets the items of
   * one claim together.
   *
   * @throws KRN_QUEUE_UNDECLARED, KRN_HANDLER_TWICE, KRN_TOO_LATE after `register`
   */
  queue<T extends QueueItem = QueueItem>(
    name: string,
    handler: QueueHandler<T> | BatchHandler<T>
  ): Queue<T>
  /**
   * Offers a capability that the manifest declares under `provides`, once, in `register`.
   *
   * @throws KRN_PROVIDE_UNDECLARED, KRN_PROVIDE_UNFIT when the value does not fit the contract.
   */
  provide<T>(capability: Capability<T>, value: NoInfer<T>): void
  /**
   * A capability that the manifest declares under `uses`. It is there from `register` on when its
   * provider is registered first, which the kernel sees to unless the two use each other.
   *
   * @throws KRN_USE_UNDECLARED, KRN_USE_TOO_EARLY, KRN_USE_ABSENT when it is declared optional and no
   * plugin provides it: then ask with `{ optional: true }`.
   */
  use<T>(capability: Capability<T>): T
  /** The capability, or undefined when it is declared optional and no plugin provides it. */
  use<T>(capability: Capability<T>, options: { readonly optional: boolean }): T | undefined
  /**
   * Contributes to an extension point that the manifest declares under `uses`. When that use is optional,
   * the owner of the point need not be there.
   *
   * @throws KRN_POINT_UNDECLARED, KRN_CONTRIBUTION_UNFIT when it does not fit the contract.
   */
  extend<T>(point: ExtensionPoint<T>, contribution: NoInfer<T>): void
  /**
   * The contributions to a point that the manifest declares under `extensionPoints`, in the order of their
   * plugins. The list is live; it is complete from `onReady` on.
   *
   * @throws KRN_POINT_FOREIGN
   */
  contributions<T>(point: ExtensionPoint<T>): readonly T[]
  /**
   * The plugins that contributed, by id: one for each of `contributions`, in the same order.
   *
   * @throws KRN_POINT_FOREIGN
   */
  contributors<T>(point: ExtensionPoint<T>): readonly string[]
  /** undici's fetch, to declared hosts only. By default ends after 90 s and 256 MB. */
  readonly fetch: typeof undiciFetch
  /**
   * undici's fetch for addresses that a user or a client names: public addresses only, redirects
   * included. An IP address or `localhost` that the config names with its port, in a setting that
   * `network` declares (`"${setting}"`), may be called all the same. Ends after 10 s and 10 MB; rejects with KRN_FETCH_ADDRESS,
   * KRN_FETCH_PROTOCOL, KRN_FETCH_TIMEOUT, KRN_FETCH_SIZE.
   */
  readonly fetchPublic: typeof undiciFetch
  /**
   * A rate limit of this plugin, shared by all processes through the database. While the database does
   * not answer, each process counts alone. Ask for it during `register`.
   *
   * @throws KRN_TOO_LATE after `register`
   * @example
   * const tries = host.limit('sign-in', { max: 60, windowSeconds: 60 })
   * const { granted, retryAfterSeconds } = await tries.take(addressKey(request.ip))
   */
  limit(name: string, options: LimitOptions): Limit
  /**
   * Runs a function while this process holds a lease, which it renews meanwhile: what only one process of the
   * platform may do at a time. Does nothing when another process holds it. Names are those of this plugin.
   *
   * @example
   * const { held } = await host.lease('nightly-report', { seconds: 60, signal }, async ({ signal, keep }) => {
   *   for await (const page of pages(signal)) {
   *     // Written only while the lease is held.
   *     await host.withTransaction(async (session) => {
   *       await keep(session)
   *       await store(page, session)
   *     })
   *   }
   * })
   */
  readonly lease: TakeLease
  /**
   * Sends an alert or a webhook once, and says what became of it: signed after Standard Webhooks, to public
   * addresses as `fetchPublic`, within the quota of a tenant, not before a `Retry-After` is over, and never again to
   * an address that answered 410. Keep the message in a row of your own until it is sent or ended.
   *
   * @example
   * const { state } = await host.notify({
   *   id: alert._id,
   *   tenantId: alert.tenantId,
   *   webhook: { url: alert.url, secret: alert.secret, body: messageOf(alert) }
   * })
   */
  readonly notify: Notify
  /**
   * Names a health check, which `/health/plugins` shows with this plugin. It runs when that address is
   * read, at most once in 10 s, and has 5 s. A check that is not `ok` makes the plugin `degraded`: its
   * routes answer all the same, and `/health/ready` does not change.
   *
   * @param name lower case letters, digits and hyphens
   * @throws KRN_HEALTH_NAME, KRN_HANDLER_TWICE, KRN_TOO_LATE after `register`
   * @example
   * host.health('provider', async ({ signal }) => {
   *   const { status } = await host.fetch('https://api.example.com/ping', { signal })
   *   return status === 200 ? { state: 'ok' } : { state: 'failing', reason: `It answers ${status}.` }
   * })
   */
  health(name: string, check: HealthCheck): void
  readonly clock: Clock
  readonly metrics: Metrics
  /** Aborted when the host drains. */
  readonly signal: AbortSignal
  /**
   * Runs when every plugin of the config is registered: contributions are complete, and routes, jobs and
   * limits can still be made. `app` is a scope of this plugin at the root of the host, for addresses that begin with
   * `prefix`. For routes that other plugins contribute: declare the address they are below, as `/admin/api/*`.
   */
  onRegistered(fn: (app: FastifyInstance) => Promise<void> | void): void
  /** Runs after every plugin is registered and before the host is ready. */
  onReady(fn: () => Promise<void> | void): void
  /** Runs when the host closes, in reverse order of registration, within a time limit. */
  onClose(fn: () => Promise<void> | void): void
  /** Resolves who is looking at a request: for plugins that serve their own gate. */
  resolveViewer(request: FastifyRequest): Promise<Viewer | null>
  /** The encapsulated Fastify instance, for what the rest does not cover. Routes are still checked. */
  readonly fastify: FastifyInstance
}

/** What `prepare` receives: storage, log and time; no routes yet. */
export type PrepareHost = Pick<
  Host,
  | 'id'
  | 'log'
  | 'collection'
  | 'withTransaction'
  | 'payloadIndexes'
  | 'lease'
  | 'clock'
  | 'signal'
  | 'fetch'
  | 'fetchPublic'
>

/** What a migration receives. It must be safe to run again after a crash. */
export type MigrationHost = Pick<Host, 'id' | 'log' | 'collection' | 'withTransaction' | 'clock'>
