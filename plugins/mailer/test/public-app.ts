// The public router on a plain Fastify app, for tests.
import type { Teardown } from '@keelson/sdk/testing'
import Fastify, { type FastifyInstance } from 'fastify'
import { createMailerPublic, type MailerPublicOptions } from '../host/public-routes.ts'
import type { MailerContext } from '../ledger/context.ts'

/** Opens the router at `/m`. Closing the app writes the opens and clicks that wait. */
export async function publicApp(
  t: Teardown,
  context: MailerContext,
  options?: MailerPublicOptions
): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(createMailerPublic({ getRunnerContext: () => context }, options), {
    prefix: '/m'
  })
  t.teardown(() => app.close())
  return app
}
