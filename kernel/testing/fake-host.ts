// A host with a real Fastify app and a kernel whose database and schedule are stand-ins.
import type { JobHandler, KeelsonPlugin, ManifestJob, PluginOptions, Viewer } from '@keelson/sdk'
import { definePlugin } from '@keelson/sdk'
import Fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type InjectOptions
} from 'fastify'
import { answers } from '../http/answers.ts'
import { createKernel, type KernelOptions, type KernelSeams } from '../index.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Storage, StorageCommand } from '../storage/connect.ts'
import type { StoragePlan } from '../storage/plan.ts'
import { sampleManifest } from './sample-manifest.ts'

/** What happened to the stand-ins, in order. */
export interface Seen {
  readonly events: string[]
  readonly jobs: {
    readonly plugin: string
    readonly spec: ManifestJob
    readonly handler: JobHandler
  }[]
  readonly queues: string[]
  onCommand(command: StorageCommand): void
  onRun: ((report: never) => void) | undefined
}

export interface FakeHost {
  readonly app: FastifyInstance
  readonly seen: Seen
  readonly logs: Readonly<Record<string, unknown>>[]
  call(options: InjectOptions & { readonly viewer?: string }): Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, unknown>>
    readonly text: string
    // biome-ignore lint/suspicious/noExplicitAny: a reply of any shape, looked at by assertions
    readonly json: any
  }>
}

export interface FakeHostOptions extends KernelOptions {
  readonly seams?: Partial<KernelSeams>
  readonly fastify?: FastifyServerOptions
  /** Called with the app before it is ready. */
  readonly before?: (app: FastifyInstance) => void
}

interface TestLike {
  teardown(fn: () => Promise<void> | void): void
}

/** A plugin with a sample manifest. Without `register` it answers on each declared route. */
export function samplePlugin(
  id: string,
  more: Readonly<Record<string, unknown>> = {},
  rest: Partial<PluginOptions> = {}
): KeelsonPlugin {
  const manifest = sampleManifest(id, more)
  return definePlugin({
    manifest,
    register(host) {
      for (const { method, path = '/' } of manifest.routes ?? []) {
        host.route({ method, path, handler: async () => ({ plugin: id }) })
      }
    },
    ...rest
  })
}

/** Starts it and waits until it is ready. It is closed at the end of the test. */
export async function fakeHost(t: TestLike, options: FakeHostOptions = {}): Promise<FakeHost> {
  const { seams, fastify, before, ...kernelOptions } = options
  const logs: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void logs.push(JSON.parse(line)) }
  const app = Fastify({ logger: { level: 'trace', stream }, ...fastify })
  const seen = emptySeen()
  t.teardown(() => app.close())
  const kernel = createKernel(
    { config: {}, resolveViewer: viewerOfHeader, ...kernelOptions },
    { ...fakeSeams(seen), env: {}, ...seams }
  )
  app.register(kernel)
  before?.(app)
  await app.ready()
  return {
    app,
    seen,
    logs,
    async call({ viewer, headers, ...rest }) {
      const reply = await app.inject({
        ...rest,
        headers: { ...headers, ...(viewer !== undefined && { 'x-viewer': viewer }) }
      })
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: reply.payload,
        json: jsonOf(reply.payload)
      }
    }
  }
}

const emptySeen = (): Seen => ({
  events: [],
  jobs: [],
  queues: [],
  onCommand() {},
  onRun: undefined
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads `x-viewer: <tenant>:<role>`. */
export function viewerOfHeader(request: {
  headers: Readonly<Record<string, unknown>>
}): Viewer | null {
  const [tenantId, role] = String(request.headers['x-viewer'] ?? '').split(':')
  return tenantId && role ? { tenantId, role, viewerRef: `user:u-${role}` } : null
}

/** Stand-ins for database and schedule; what happens to them is noted in `seen`. */
export function fakeSeams(seen: Seen = emptySeen()): Partial<KernelSeams> {
  // Still, so that the window of a rate limit does not end while a test runs.
  const startedAt = new Date()
  return {
    clock: { now: () => startedAt },
    connect: async (_config, { onCommand }) => {
      seen.events.push('connect')
      if (onCommand !== undefined) seen.onCommand = onCommand
      return fakeStorage(seen)
    },
    newestRevision: async () => undefined,
    planStorage: async (_db, plugins) => {
      seen.events.push(`plan ${plugins.map(({ manifest }) => manifest.id).join(' ')}`)
      return { steps: [] } as unknown as StoragePlan
    },
    applyPlan: async (_db, _plan, { only }) => {
      seen.events.push(`apply ${only}`)
    },
    createSchedule: (given) => {
      seen.onRun = given.onRun as Seen['onRun']
      return fakeSchedule(seen)
    },
    registerShell: async () => {
      seen.events.push('shell')
      return {
        placePages() {},
        notFound: (_request, reply) => answers.notFound(reply)
      }
    }
  }
}

function fakeStorage(seen: Seen): Storage {
  const counts = new Map<string, number>()
  const collection = (collectionName: string) => ({
    collectionName,
    dbName: 'fake',
    aggregate() {},
    async createIndex() {},
    /** The counter of the rate limits. */
    async findOneAndUpdate({ _id }: { _id: string }, { $inc }: { $inc: { used: number } }) {
      const used = (counts.get(_id) ?? 0) + $inc.used
      counts.set(_id, used)
      return { used }
    }
  })
  return {
    client: {} as Storage['client'],
    db: { collection } as unknown as Storage['db'],
    description: 'a stand-in',
    isReachable: () => !seen.events.includes('unreachable'),
    async close() {
      seen.events.push('storage closed')
    }
  }
}

function fakeSchedule(seen: Seen): Schedule {
  return {
    job(owner, spec, handler) {
      seen.jobs.push({ plugin: owner.plugin, spec, handler })
      return { run: async () => undefined, failures: async () => undefined }
    },
    queue(owner, spec) {
      seen.queues.push(`${owner.plugin}/${spec.name}`)
      return {
        add: async (items) => ({ added: items.length }),
        withdraw: async () => ({ withdrawn: 0 }),
        reschedule: async () => ({ rescheduled: 0 })
      }
    },
    withdraw(plugin) {
      seen.events.push(`withdraw ${plugin}`)
    },
    async start() {
      seen.events.push('schedule started')
    },
    async drain() {
      seen.events.push('schedule drained')
    },
    failures: async () => [],
    runJob: async () => undefined,
    async runDue() {},
    ticks: () => [],
    async runQueues() {},
    queuesDueAt: async () => undefined,
    nextDueAt: async () => undefined
  }
}
