// Calls the settings API of SendGrid.
import { errors } from '../../errors.ts'

export interface SendgridOptions {
  readonly apiKey: string
  /** Default: SendGrid's own. */
  readonly baseUrl?: string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
}

/** One call below `/v3`; undefined is what a missing resource (404) answers. */
export type SendgridCall = <T>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object
) => Promise<T | undefined>

/** The calls throw MLR_SENDGRID_SETUP. */
export function createSendgridCall(options: SendgridOptions): SendgridCall {
  const { apiKey, baseUrl = 'https://api.sendgrid.com', fetch, signal } = options
  const root = `${baseUrl.replace(/(\/v3)?\/?$/, '')}/v3`
  return async <T>(method: string, path: string, body?: object) => {
    const request = {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal
    }
    const answer = await fetch(`${root}${path}`, request).catch((cause: unknown) => {
      throw errors.MLR_SENDGRID_SETUP({ problem: `${method} ${path} got no answer`, cause })
    })
    const read: unknown = await answer.json().catch(() => undefined)
    if (answer.ok && read !== undefined) return read as T
    if (answer.status === 404 && method === 'GET') return undefined
    const problem = `${method} ${path} answers ${answer.status}: ${reasonOf(read)}`
    throw errors.MLR_SENDGRID_SETUP({ problem })
  }
}

function reasonOf(read: unknown): string {
  const { errors: list } = (read ?? {}) as { errors?: readonly { readonly message?: unknown }[] }
  const message = Array.isArray(list) ? list[0]?.message : undefined
  return typeof message === 'string' ? message.slice(0, 200) : 'no reason'
}
