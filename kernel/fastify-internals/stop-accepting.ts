// Reaches into Fastify and Node: a host takes no more connections, and those that are open go on.
import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * The servers of an app: its own, and one more for each further address of `localhost`, which Fastify keeps to
 * itself.
 */
export function serversOf(app: FastifyInstance): readonly Server[] {
  const bindings = Object.getOwnPropertySymbols(app).find(
    ({ description }) => description === 'fastify.serverBindings'
  )
  const held = app as unknown as Record<symbol, readonly Server[]>
  return [app.server, ...(bindings === undefined ? [] : (held[bindings] ?? []))]
}

/**
 * Gives back what a server listens on. `server.close` would end idle connections too, on which a request may be
 * under way; it still works afterwards.
 */
export function stopAccepting(server: Server): void {
  const { _handle: handle } = server as Server & { readonly _handle?: { close(): void } | null }
  handle?.close()
}
