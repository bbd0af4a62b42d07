// Protects routes of a Fastify app.
import { keepAccess } from './access.ts'
import type { ProtectorOptions } from './options.ts'
import { createProtector, type ProtectionOptions } from './protector.ts'
import type { TokenRequest } from './rules/check-access.ts'
import { refusalBody } from './rules/refusals.ts'

export { type Access, accessOf } from './access.ts'

/** What is used of a request of Fastify. */
export interface FastifyRequestLike {
  readonly method: string
  readonly url: string
  readonly raw: { readonly url?: string | undefined }
  readonly headers: object
  readonly log: { warn(fields: object, message: string): void }
}

/** What is used of a reply of Fastify. */
export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike
  headers(headers: Record<string, string>): FastifyReplyLike
  send(body: object): unknown
}

/** A preHandler or onRequest hook: it lets a request in, or answers with the challenge. */
export type FastifyProtection = (
  request: FastifyRequestLike,
  reply: FastifyReplyLike
) => Promise<unknown>

/** What is used of a Fastify app. */
export interface FastifyAppLike {
  get(path: string, handler: (request: unknown, reply: FastifyReplyLike) => unknown): unknown
}

/** The protection of a resource in a Fastify app. */
export interface FastifyProtect {
  /** Makes a hook for scopes; none asks for a valid token only. Call it once per route. */
  protect(scopes?: readonly string[], options?: ProtectionOptions): FastifyProtection
  /** A plugin that serves the metadata of the resource. Register it at the root of its origin. */
  metadata(app: FastifyAppLike): Promise<void>
}

/** @throws ProtectError for an option that is invalid, naming it */
export function createProtect(options: ProtectorOptions): FastifyProtect {
  const protector = createProtector(options)
  return {
    protect(scopes, how) {
      const check = protector.check(scopes, how)
      return async (request, reply) => {
        const { method, raw, url, headers } = request
        const verdict = await check({
          method,
          url: raw.url ?? url,
          headers: headers as TokenRequest['headers']
        })
        if (verdict.kind === 'admitted') return keepAccess(request, verdict.access)
        const { refusal, cause, sentence } = verdict
        if (cause !== undefined) request.log.warn({ err: cause }, sentence)
        return reply
          .code(refusal.status)
          .headers({ ...refusal.headers, 'cache-control': 'no-store' })
          .send(refusalBody(refusal))
      }
    },
    async metadata(app) {
      app.get(protector.metadataPath, (_request, reply) =>
        reply.headers({ 'access-control-allow-origin': '*' }).send(protector.metadata)
      )
    }
  }
}
