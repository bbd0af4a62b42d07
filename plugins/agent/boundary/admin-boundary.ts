// Decides what a token may do through the admin API. Pure.
import type { Boundary } from './test-contacts.ts'

/** A call of an admin route, below `/api`. */
export interface AdminCall {
  readonly method: string
  /** The address of the route, with its parameters by name: `/templates/:slug/send-test`. */
  readonly route: string
  readonly body: unknown
}

/** Why a call is refused. */
export type AdminRefusal =
  | ReturnType<Boundary['refusal']>
  | 'suppression_removal_not_allowed'
  | 'use_the_agent_route'

/** Operations that can reach people who are not test contacts; the agent API has its own for each. */
const OWN_ROUTES =
  /^\/(broadcasts(\/.*)?|contacts\/.+|events(\/.*)?|programs\/.+\/(runs|enter|start|test|tick).*|(runs|sends)\/.+\/(skip|resend))$/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A broadcast that stops reaches fewer people. */
const SAFE_ROUTES = /^\/broadcasts\/[^/]+\/(pause|cancel|segment\/count)$/

/** It says what became of a mail; one of its verdicts mails the recipient again. */
const RESOLVE_ROUTE = /^\/sends\/.+\/resolve$/

/** Undefined when the call may go on. */
export function adminRefusal(call: AdminCall, boundary: Boundary): AdminRefusal | undefined {
  const { method, route, body } = call
  if (SAFE_METHODS.has(method)) return undefined
  if (route.endsWith('/send-test')) return boundary.refusal(addressIn(body))
  if (method === 'DELETE' && route.startsWith('/suppressions')) {
    return 'suppression_removal_not_allowed'
  }
  if (SAFE_ROUTES.test(route)) return undefined
  if (RESOLVE_ROUTE.test(route) && verdictIn(body) === 'resend') return 'use_the_agent_route'
  return OWN_ROUTES.test(route) ? 'use_the_agent_route' : undefined
}

function verdictIn(body: unknown): unknown {
  return (body as { readonly verdict?: unknown } | null)?.verdict
}

function addressIn(body: unknown): string | undefined {
  const to = (body as { readonly to?: unknown } | null)?.to
  return typeof to === 'string' ? to : undefined
}
