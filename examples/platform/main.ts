// The demo host: a Fastify app with the kernel, as DEMO.md promises it.
import { fileURLToPath } from 'node:url'
import keelson, { kernelOf } from '@keelson/kernel'
import Fastify, { type FastifyInstance } from 'fastify'
import { DEFAULT_PASSWORD } from './demo/people.ts'
import { isLoopback } from './loopback.ts'
import { publicSecrets } from './public-secrets.ts'
import { trustProxyOf } from './trust-proxy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Starts the demo from environment variables; ends the process with 1 when it cannot. */
export async function run(env: Environment): Promise<void> {
  const host = env['HOST'] ?? '127.0.0.1'
  const port = Number(env['PORT'] ?? 3000)
  const refusal = refusalOf(env, host, port)
  if (refusal !== undefined) return fail(refusal)
  const app = Fastify({
    logger: { level: env['KEELSON_LOG_LEVEL'] ?? 'warn', stream: process.stderr },
    trustProxy: trustProxyOf(env['KEELSON_TRUST_PROXY']),
    forceCloseConnections: 'idle',
    // The first start writes the sample data before it is ready.
    pluginTimeout: 120_000,
    routerOptions: { maxParamLength: 1024 }
  })
  endOnSignals(app)
  try {
    await app.register(keelson, { config: configPath(env), role: roleOf(env) })
    await app.listen({ host, port })
  } catch (error) {
    await app.close().catch(() => {})
    return fail(error instanceof Error ? error.message : String(error))
  }
  const { storage } = kernelOf(app)
  console.log(
    `Keelson is ready at http://${host}:${port} · database: ${storage.description} · sign in as admin@acme.test with ${passwordHint(env)}`
  )
}

function configPath(env: Environment): string {
  return env['KEELSON_CONFIG'] ?? fileURLToPath(new URL('../keelson.config.json', import.meta.url))
}

function roleOf(env: Environment): 'all' | 'web' | 'worker' {
  const role = env['KEELSON_ROLE'] ?? 'all'
  if (role === 'all' || role === 'web' || role === 'worker') return role
  throw new Error(`KEELSON_ROLE is "${role}"; it must be all, web or worker.`)
}

function passwordHint(env: Environment): string {
  return env['KEELSON_DEMO_PASSWORD'] === undefined
    ? `password ${DEFAULT_PASSWORD}`
    : 'the password in KEELSON_DEMO_PASSWORD'
}

/** Why it must not start; undefined when it may. */
function refusalOf(env: Environment, host: string, port: number): string | undefined {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return `PORT is "${env['PORT']}"; it must be a whole number up to 65535.`
  }
  const secrets = publicSecrets(env)
  if (isLoopback(host) || secrets.length === 0) return undefined
  return `HOST is ${host}, which others can reach, and secrets of the demo have values that anyone can read: ${secrets.join(', ')}. Set these variables, or leave HOST at 127.0.0.1.`
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
