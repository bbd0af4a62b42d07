// A host for the tests of a plugin: kernel, database, clock, outside world and viewer in one call.
import type { KeelsonConfig, KeelsonPlugin, PluginConfig, PluginHealth, Viewer } from '@keelson/sdk'
import { definitionOf } from '@keelson/sdk'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'
import type { Db } from 'mongodb'
import { MockAgent } from 'undici'
import { createTestClock, type TestClock } from './test-clock.ts'
import { startDefaultEngine, testStorage } from './test-engine.ts'

/** The plugin under test, and what surrounds it. */
export interface TestHostOptions {
  /** The plugin under test. */
  readonly plugin: KeelsonPlugin
  /** Plugins it needs, and contributors to its extension points. */
  readonly plugins?: readonly KeelsonPlugin[]
  /** Config of the plugin under test. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Where it is mounted. Default: as its manifest says. */
  readonly mount?: string
  /** What the platform is below, as a host gives it. Default: nothing. */
  readonly prefix?: string
  /** The rest of the platform's config: `shell`, `auth`, and entries of the other plugins. */
  readonly platform?: Omit<KeelsonConfig, 'storage'>
  /** Who is signed in. Default: not signed in. A header `x-viewer: <tenant>:<role>[:<ref>]` wins. */
  readonly viewer?: Viewer | null
  /** Default `all`. */
  readonly role?: 'all' | 'web' | 'worker'
  /** Where the clock starts. Default: now. */
  readonly now?: Date
  /** Options of the Fastify app. Log lines are kept in `logs` whatever is given. */
  readonly fastify?: Omit<FastifyServerOptions, 'logger' | 'loggerInstance'>
}

/** A running host for tests. */
export interface TestHost {
  /** Ready; use `app.inject`, or `listen` where a real address is needed. */
  readonly app: FastifyInstance
  readonly clock: TestClock
  /** The test's own database, dropped on close. */
  readonly db: Db
  /** Stands for the outside: what it does not expect is refused. */
  readonly outbound: MockAgent
  /** Log lines as objects, all levels. */
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** Who is signed in from now on; null signs out. */
  signIn(viewer: Viewer | null): void
  /** How each plugin is now, as `/health/plugins` shows it to an admin; every health check runs anew. */
  health(): Promise<readonly PluginHealth[]>
  /** Listens on a free port of this machine. Resolves to the address; `close` ends its connections. */
  listen(): Promise<string>
  close(): Promise<void>
}

/**
 * Starts a kernel with the plugin under test, on one engine per test process (or `MONGODB_URI`) and
 * with its own database. Jobs and queues run when the clock is advanced, and only then.
 *
 * @throws the KRN_ error of a plugin that is refused or fails
 * @example
 * const host = await createTestHost({ plugin, config: { limit: 3 } })
 * t.teardown(() => host.close())
 * const reply = await host.app.inject('/my-plugin/items')
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  // The kernel is a peer that only this entry needs.
  const kernel = await import('@keelson/kernel')
  const outbound = new MockAgent()
  outbound.disableNetConnect()
  const logs: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void logs.push(JSON.parse(line)) }
  const app = Fastify({
    // Fastify's ten seconds are short for plugins that write sample data on a busy machine.
    pluginTimeout: 60_000,
    ...options.fastify,
    logger: { level: 'trace', stream }
  })
  let viewer = options.viewer ?? null
  const clock = createTestClock(options.now, () => kernel.kernelOf(app).schedule)
  const storage = await testStorage(process.env, startDefaultEngine)
  const made = kernel.createKernel(
    {
      config: { ...options.platform, storage, plugins: entriesOf(options) },
      plugins: [options.plugin, ...(options.plugins ?? [])],
      resolveViewer: (request) => viewerOfHeader(request) ?? viewer,
      role: options.role ?? 'all',
      ...(options.prefix !== undefined && { prefix: options.prefix })
    },
    {
      clock,
      ticker: kernel.createManualTicker(clock),
      outboundMock: outbound,
      connect: async (...given) => withoutTrace(await kernel.connectStorage(...given))
    }
  )
  const close = async () => {
    app.server.closeAllConnections()
    await app.close()
    await outbound.close()
  }
  try {
    await app.register(made)
    await app.ready()
  } catch (error) {
    await close()
    throw error
  }
  return {
    app,
    clock,
    db: kernel.kernelOf(app).storage.db,
    outbound,
    logs,
    signIn(next) {
      viewer = next
    },
    health: () => kernel.kernelOf(app).health(),
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    close
  }
}

function entriesOf({ plugin, config, mount, platform }: TestHostOptions) {
  const { id } = (definitionOf(plugin)?.manifest ?? {}) as { id?: string }
  const entries: Record<string, PluginConfig> = { ...platform?.plugins }
  if (id === undefined || (config === undefined && mount === undefined)) return entries
  entries[id] = { ...entries[id], ...(config && { config }), ...(mount !== undefined && { mount }) }
  return entries
}

function viewerOfHeader(request: FastifyRequest): Viewer | undefined {
  const [tenantId, role, ...ref] = String(request.headers['x-viewer'] ?? '').split(':')
  if (!tenantId || role === undefined) return undefined
  return { tenantId, role, viewerRef: ref.length > 0 ? ref.join(':') : `user:u-${role}` }
}

/** Drops the database of the test when the kernel lets go of it. */
function withoutTrace<T extends { readonly db: Db; close(): Promise<void> }>(storage: T): T {
  return {
    ...storage,
    async close() {
      await storage.db.dropDatabase()
      await storage.close()
    }
  }
}
