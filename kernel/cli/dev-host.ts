// The process that keelson dev starts and restarts: a host on loopback in which the developer is signed in.
import { environmentOf, type Viewer } from '@keelson/sdk'
import Fastify from 'fastify'
import { createKernel } from '../index.ts'
import { describeFailure } from './dev-failure.ts'
import { type DevProject, type DevRequest, readDevProject } from './dev-project.ts'

/** What the process is started with. */
export interface DevHostArguments {
  readonly request: DevRequest
  /** Who is signed in, unless a plugin says it. */
  readonly viewer: Viewer | null
}

const { request, viewer } = JSON.parse(process.argv[2] ?? '{}') as DevHostArguments
const environment = environmentOf(process.env)
const {
  HOST: host = '127.0.0.1',
  PORT: port = '3000',
  KEELSON_LOG_LEVEL: level = 'info'
} = environment

const app = Fastify({ logger: { level }, requestTimeout: 60_000 })
const close = () => void app.close().finally(() => process.exit())
process.once('SIGTERM', close)
process.once('SIGINT', close)
// When the watcher dies, so does its host.
process.once('disconnect', close)

async function start({ config, viewerPlugin }: DevProject): Promise<void> {
  const env = { ...environment, ...request.settings.env }
  const resolveViewer = viewerPlugin === undefined ? { resolveViewer: async () => viewer } : {}
  await app.register(createKernel({ config, listenHost: host, ...resolveViewer }, { env }))
  await app.listen({ host, port: Number(port) })
  process.send?.({ ready: `http://${host}:${port}` })
}

let project: DevProject | undefined
try {
  project = await readDevProject(request, environment)
  await start(project)
} catch (error) {
  const { plugin, configFile = 'the config' } = project ?? {}
  const failed = describeFailure(error, { plugin, configFile })
  // What the failed start left open must not keep the process.
  await app.close().catch(() => {})
  process.send?.({ failed }, () => process.exit(1))
}
