// Protects routes of an Express app, or of another one with its middleware.
import { keepAccess } from './access.ts'
import type { ProtectorOptions } from './options.ts'
import { createProtector, type ProtectionOptions } from './protector.ts'
import type { TokenRequest } from './rules/check-access.ts'
import { refusalBody } from './rules/refusals.ts'

export { type Access, accessOf } from './access.ts'

/** What is used of a request of Express. */
export interface ExpressRequestLike {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Path and query below every mount. Default: `url`. */
  readonly originalUrl?: string | undefined
  readonly headers: object
}

/** What is used of a response of Express. */
export interface ExpressResponseLike {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/** Middleware: it lets a request in, or answers it. */
export type ExpressMiddleware = (
  request: ExpressRequestLike,
  response: ExpressResponseLike,
  next: (error?: unknown) => void
) => void

/** The protection of a resource in an Express app. */
export interface ExpressProtect {
  /** Makes middleware for scopes; none asks for a valid token only. Call it once per route. */
  protect(scopes?: readonly string[], options?: ProtectionOptions): ExpressMiddleware
  /** Serves the metadata of the resource. Use it at the root of the app. */
  readonly metadata: ExpressMiddleware
}

/** @throws ProtectError for an option that is invalid, naming it */
export function createProtect(options: ProtectorOptions): ExpressProtect {
  const protector = createProtector(options)
  return {
    protect(scopes, how) {
      const check = protector.check(scopes, how)
      const admit = async (
        request: ExpressRequestLike,
        response: ExpressResponseLike
      ): Promise<boolean> => {
        const { method = 'GET', originalUrl, url = '/', headers } = request
        const verdict = await check({
          method,
          url: originalUrl ?? url,
          headers: headers as TokenRequest['headers']
        })
        if (verdict.kind === 'admitted') {
          keepAccess(request, verdict.access)
          return true
        }
        const { refusal } = verdict
        sendJson(response, refusal.status, {
          body: refusalBody(refusal),
          headers: { ...refusal.headers, 'cache-control': 'no-store' }
        })
        return false
      }
      return (request, response, next) => {
        admit(request, response).then((isAdmitted) => isAdmitted && next(), next)
      }
    },
    metadata(request, response, next) {
      const [path] = (request.originalUrl ?? request.url ?? '').split('?')
      if (path !== protector.metadataPath || request.method !== 'GET') return next()
      const headers = { 'access-control-allow-origin': '*' }
      return sendJson(response, 200, { body: protector.metadata, headers })
    }
  }
}

function sendJson(
  response: ExpressResponseLike,
  status: number,
  answer: { readonly body: object; readonly headers: Readonly<Record<string, string>> }
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...answer.headers
  })
  response.end(JSON.stringify(answer.body))
}
