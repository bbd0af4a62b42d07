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
import { createKernel } from '../index.ts'
import type { Ticker } from '../schedule/ticker.ts'
import { type DevRequest, readDevProject } from './dev-project.ts'
import { exercise, type Findings } from './exercise.ts'

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
    return await runHost(manifest, onFolder(config as KeelsonConfig, dataDir), {
      ...env,
      ...request.settings.env
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

async function runHost(manifest: Manifest, config: KeelsonConfig, env: Env): Promise<Findings> {
  const { log, takeError } = rememberingLog()
  const app = Fastify({ loggerInstance: log })
  const outboundMock = offline()
  const options = { config, resolveViewer: () => ADMIN }
  try {
    await app.register(createKernel(options, { env, ticker: idleTicker, outboundMock }))
    await app.ready()
    const mount = config.plugins?.[manifest.id]?.mount
    return await exercise({ app, manifest, mount, takeError })
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
