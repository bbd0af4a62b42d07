// Protects handlers that take a Request and answer with a Response.
import { type Access, keepAccess } from './access.ts'
import type { ProtectorOptions } from './options.ts'
import { createProtector, type ProtectionOptions } from './protector.ts'
import { refusalBody } from './rules/refusals.ts'

export { type Access, accessOf } from './access.ts'

/** Answers a request that was let in. */
export type ProtectedHandler = (request: Request, access: Access) => Response | Promise<Response>

/** The protection of a resource in a handler of requests. */
export interface FetchProtect {
  /** Wraps a handler; no scopes ask for a valid token only. */
  protect(
    scopes: readonly string[],
    handler: ProtectedHandler,
    options?: ProtectionOptions
  ): (request: Request) => Promise<Response>
  /** The metadata of the resource, when the request is for it. */
  metadata(request: Request): Response | undefined
}

/** @throws ProtectError for an option that is invalid, naming it */
export function createProtect(options: ProtectorOptions): FetchProtect {
  const protector = createProtector(options)
  return {
    protect(scopes, handler, how) {
      const check = protector.check(scopes, how)
      return async (request) => {
        const { method, headers } = request
        const { pathname, search } = new URL(request.url)
        const verdict = await check({
          method,
          url: `${pathname}${search}`,
          headers: {
            authorization: headers.get('authorization') ?? undefined,
            dpop: headers.get('dpop') ?? undefined
          }
        })
        if (verdict.kind === 'admitted') {
          keepAccess(request, verdict.access)
          return handler(request, verdict.access)
        }
        const { refusal } = verdict
        return Response.json(refusalBody(refusal), {
          status: refusal.status,
          headers: { ...refusal.headers, 'cache-control': 'no-store' }
        })
      }
    },
    metadata({ url, method }) {
      if (method !== 'GET' || new URL(url).pathname !== protector.metadataPath) return undefined
      return Response.json(protector.metadata, {
        headers: { 'access-control-allow-origin': '*' }
      })
    }
  }
}
