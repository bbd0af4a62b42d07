// The demo host: a Fastify app with the kernel, as DEMO.md promises it.
import { fileURLToPath } from 'node:url'
import { createKernel, kernelOf, type PublishedSecret } from '@keelson/kernel'
import { type Environment, environmentOf } from '@keelson/sdk'
import Fastify, { type FastifyInstance } from 'fastify'
import { createClockPlugin } from './clock/index.ts'
import { createMovableClock } from './clock/movable-clock.ts'
import { DEFAULT_PASSWORD } from './demo/people.ts'
import { trustProxyOf } from './trust-proxy.ts'

/** Milliseconds within which a request must have arrived whole. */
const REQUEST_TIMEOUT = 60_000

/** Starts the demo from environment variables; ends the process with 1 when it cannot. */
export async function run(given: Environment): Promise<void> {
  const env = environmentOf(given)
  const host = env['HOST'] ?? '127.0.0.1'
  const port = Number(env['PORT'] ?? 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return fail(`PORT is "${env['PORT']}"; it must be a whole number up to 65535.`)
  }
  const app = Fastify({
    logger: { level: env['KEELSON_LOG_LEVEL'] ?? 'warn', stream: process.stderr },
    trustProxy: trustProxyOf(env['KEELSON_TRUST_PROXY']),
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT,
    // The first start writes the sample data before it is ready.
    pluginTimeout: 120_000,
    routerOptions: { maxParamLength: 1024 }
  })
  endOnSignals(app)
  try {
    const clock = createMovableClock()
    const timePlugin = createClockPlugin({ time: clock, work: () => kernelOf(app).schedule })
    const options = {
      config: configPath(env),
      plugins: [timePlugin],
      role: roleOf(env),
      listenHost: host,
      prefix: prefixOf(env)
    }
    await app.register(createKernel(options, { clock }))
    await app.listen({ host, port })
  } catch (error) {
    await app.close().catch(() => {})
    return fail(error instanceof Error ? error.message : String(error))
  }
  const { storage, published } = kernelOf(app)
  console.log(
    `Keelson is ready at http://${host}:${port}${prefixOf(env)} · database: ${storage.description} · sign in as admin@acme.test with ${passwordHint(published)}`
  )
}

function configPath(env: Environment): string {
  return env['KEELSON_CONFIG'] ?? fileURLToPath(new URL('../keelson.config.json', import.meta.url))
}

/** What the addresses of the platform begin with, as `/platform`. */
const prefixOf = (env: Environment): string => env['KEELSON_PREFIX'] ?? ''

function roleOf(env: Environment): 'all' | 'web' | 'worker' {
  const role = env['KEELSON_ROLE'] ?? 'all'
  if (role === 'all' || role === 'web' || role === 'worker') return role
  throw new Error(`KEELSON_ROLE is "${role}"; it must be all, web or worker.`)
}

function passwordHint(published: readonly PublishedSecret[]): string {
  return published.some(({ variable }) => variable === 'KEELSON_DEMO_PASSWORD')
    ? `password ${DEFAULT_PASSWORD}`
    : 'the password in KEELSON_DEMO_PASSWORD'
}

function endOnSignals(app: FastifyInstance): void {
  const end = () => {
    app.close().then(
      () => process.exit(0),
      () => process.exit(1)
    )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

function fail(message: string): void {
  console.error(message)
  process.exit(1)
}
