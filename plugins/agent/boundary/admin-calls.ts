// What calls of the admin API do, where their bodies decide it, and whom they mail. Pure.
import type { Effect } from '@keelson/sdk'

interface AdminCall {
  readonly method: string
  readonly route: string
  readonly effect: Effect
  readonly body?: unknown
}

type Reader<T> = (body: Readonly<Record<string, unknown>>) => T | undefined

/** Calls whose body may make them do less than their operation can. */
const LESS: Readonly<Record<string, Reader<Effect>>> = {
  // Publishing enables a flow unless the body says otherwise.
  'POST /flows/:slug/publish': ({ enable }) => (enable === false ? 'change' : undefined),
  // One of the verdicts mails the recipient again.
  'POST /sends/:id/resolve': ({ verdict }) =>
    verdict === 'sent' || verdict === 'not_sent' ? 'change' : undefined
}

/** Who is mailed, where the body names an address. */
const RECIPIENTS: Readonly<Record<string, Reader<unknown>>> = {
  'POST /templates/:slug/send-test': ({ to }) => to
}

/** What a call does. */
export const effectOfCall = ({ method, route, effect, body }: AdminCall): Effect =>
  LESS[`${method} ${route}`]?.(fieldsOf(body)) ?? effect

/** The address that a call mails; empty where the body names none, undefined where it cannot name one. */
export function recipientOf({ method, route, body }: AdminCall): string | undefined {
  const read = RECIPIENTS[`${method} ${route}`]
  if (read === undefined) return undefined
  const recipient = read(fieldsOf(body))
  return typeof recipient === 'string' ? recipient : ''
}

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A broadcast that stops reaches fewer people. */
const SAFE_ROUTES = /^\/broadcasts\/[^/]+\/(pause|cancel|segment\/count)$/
/** These can reach people who are not test contacts, or lift what a person or the circuit breaker stopped. */
const RELEASING =
  /^\/(broadcasts(\/.*)?|contacts\/.+|events(\/.*)?|programs\/.+\/(runs|enter|start|test|tick|publish|enable|resume).*|(runs|sends)\/.+\/(skip|resend|resolve)|flows\/[^/]+\/(resume|publish|arm|enable|ungate)|health\/resume)$/
/** Suppressions, and the pause of all marketing mail. */
const LIFTED_BY_DELETE = /^\/(suppressions|pause)(\/|$)/

/** The effect of an admin route that is no operation and does not say it. */
export function effectOfRoute(method: string, route: string): Effect {
  if (SAFE_METHODS.has(method)) return 'read'
  if (method === 'DELETE' && LIFTED_BY_DELETE.test(route)) return 'release'
  if (route.endsWith('/send-test')) return 'send'
  if (SAFE_ROUTES.test(route)) return 'stop'
  return RELEASING.test(route) ? 'release' : 'change'
}
