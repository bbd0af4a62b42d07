// Starts a plugin on an engine and a host that are thrown away, and collects what only starting shows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KeelsonConfig, KeelsonError, type Manifest, type Viewer } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { Agent } from 'undici'
import { errors } from '../errors/errors.ts'
import { createKernel, kernelOf } from '../index.ts'
import type { Ticker } from '../schedule/ticker.ts'
import { connectStorage } from '../storage/connect.ts'
import { createAskedQueries } from './asked-queries.ts'
import { type DevRequest, readDevProject } from './dev-project.ts'
import { exercise, type Findings, NOTHING } from './exercise.ts'
import { askContributions, findStandIn, type StandIn } from './stand-in.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Nothing runs by itself: jobs are run one by one. */
const idleTicker: Ticker = { start: async () => {}, stop: async () => {} }

const ADMIN: Viewer = { tenantId: 'check', role: 'admin', viewerRef: 'user:check' }

/** The engine may still write while its folder is removed. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

/**
 * Starts the plugin of a folder with the settings of its config file, and exercises it. It listens nowhere,
 * calls no other host, and leaves nothing behind.
 */
export async function startPlugin(
  manifest: Manifest,
  request: DevRequest,
  env: Env
): Promise<Findings> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-check-'))
  try {
    const { config } = await readDevProject(request, env)
    const onThrowAway = onFolder(config as KeelsonConfig, dataDir)
    const standIn = await findStandIn(request.folder, manifest, onThrowAway)
    const environment = { ...env, ...request.settings.env }
    return await runHost(manifest, {
      config: onThrowAway,
      env: environment,
      standIn,
      folder: request.folder
    })
  } catch (error) {
    return { faults: faultsOf(error, manifest.id), notes: [] }
  } finally {
    await rm(dataDir, REMOVAL)
  }
}

function onFolder(config: KeelsonConfig, dataDir: string): KeelsonConfig {
  const { engine } = config.storage ?? {}
  return { ...config, storage: { dataDir, ...(engine !== undefined && { engine }) } }
}

interface ThrownAway {
  readonly config: KeelsonConfig
  readonly env: Env
  readonly standIn: StandIn | undefined
  /** Of the plugin. */
  readonly folder: string
}

async function runHost(manifest: Manifest, given: ThrownAway): Promise<Findings> {
  const { config, env, folder, standIn } = given
  const { log, takeError } = rememberingLog()
  const app = Fastify({ loggerInstance: log })
  const outboundMock = offline()
  const plugins = standIn === undefined ? [] : [standIn.plugin]
  const options = { config, plugins, resolveViewer: () => ADMIN }
  const queries = createAskedQueries()
  const connect: typeof connectStorage = (storage, { onCommand, ...others }) =>
    connectStorage(storage, {
      ...others,
      onCommand(command) {
        onCommand?.(command)
        queries.note(command)
      }
    })
  try {
    await app.register(createKernel(options, { env, ticker: idleTicker, outboundMock, connect }))
    await app.ready()
    const mount = config.plugins?.[manifest.id]?.mount
    const asked = standIn === undefined ? NOTHING : await askContributions(manifest.id, standIn)
    const run = await exercise({ app, manifest, folder, mount, takeError })
    const unserved = await queries.faults(kernelOf(app).storage.db, manifest)
    return { faults: [...run.faults, ...asked.faults, ...unserved], notes: run.notes }
  } finally {
    await app.close()
    await outboundMock.close()
  }
}

/** Keeps the error of the last request that failed; prints nothing. */
function rememberingLog(): { readonly log: FastifyBaseLogger; takeError(): unknown } {
  let last: unknown
  const log = pino(
    {
      level: 'error',
      hooks: {
        logMethod(args, method) {
          const [fields] = args as unknown[]
          if (typeof fields === 'object' && fields !== null && 'err' in fields) last = fields.err
          method.apply(this, args)
        }
      }
    },
    { write() {} }
  )
  return {
    log,
    takeError() {
      const taken = last
      last = undefined
      return taken
    }
  }
}

/** Refuses every connection with an error that the findings know again. */
function offline(): Agent {
  return new Agent({
    connect({ hostname }, done) {
      done(errors.KRN_CLI_OFFLINE({ host: hostname }), null)
    }
  })
}

/** An error that lists several problems becomes those. */
function faultsOf(error: unknown, plugin: string): readonly KeelsonError[] {
  if (!KeelsonError.is(error)) {
    return [
      errors.KRN_CLI_START_FAILED({ plugin, path: 'main', reason: reasonOf(error), cause: error })
    ]
  }
  const { problems } = error.details
  return Array.isArray(problems) ? problems : [error]
}
