// The demo as a plugin: sign-in, the registry of its events, and sample data on the first start.
import { definePlugin, type Host, type Static, Type, type Viewer } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { telemetryHandle } from '@keelson/telemetry'
import { telemetryRegistry } from '@keelson/telemetry/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { personByRef } from './people.ts'
import manifest from './plugin.json' with { type: 'json' }
import { DEMO_REGISTRY } from './registry.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { type StateRow, writeSampleData } from './sample-data.ts'
import { createSessions, type SessionRow } from './sessions.ts'

const config = Type.Object(
  {
    password: Type.String({ minLength: 8, maxLength: 1024, secret: true }),
    publicUrl: Type.Optional(Type.String({ maxLength: 2048 }))
  },
  { additionalProperties: false }
)

function register(host: Host, { password, publicUrl = '' }: Static<typeof config>): void {
  const sessions = createSessions(host.collection<SessionRow>('demo_sessions'), host.clock)
  const resolveViewer = async (request: FastifyRequest): Promise<Viewer | null> =>
    (await sessions.personOf(request.headers.cookie)) ?? null
  host.provide(authViewer, {
    resolveViewer,
    loadViewer: (viewerRef: string) => personByRef(viewerRef) ?? null,
    endSession: async (request: FastifyRequest, reply: FastifyReply) =>
      void reply.header('set-cookie', await sessions.end(request.headers.cookie))
  })
  signInRoutes(host, sessions, { password, publicUrl })
  host.extend(telemetryRegistry, DEMO_REGISTRY)
  const telemetry = host.use(telemetryHandle, { optional: true })
  if (telemetry === undefined) return
  const state = host.collection<StateRow>('demo_state')
  host.onReady(() => writeSampleData(telemetry, state, host.clock))
}

export default definePlugin({ manifest, config, register })
