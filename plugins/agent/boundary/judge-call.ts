// Decides whether a token may make a call: an allow list by effect, for REST, its mirror, tools and resources. Pure.
import type { Effect, Operation } from '@keelson/sdk'
import { type AgentScope, coversPath, holds } from '../tokens/reach.ts'
import type { Caller } from '../tokens/token-register.ts'
import { effectOfCall, recipientOf } from './admin-calls.ts'
import type { Boundary, BoundaryRefusal } from './test-contacts.ts'

/** Whose operation it is. The agent's own hold the boundary themselves, with a confirmation or a count. */
export type CallOwner = 'agent' | 'mailer' | 'other'

/** A call of an operation, or of a route that is none yet. */
export interface JudgedCall {
  readonly owner: CallOwner
  readonly method: string
  /** The path as it is declared, below the API: `/templates/:slug/send-test`. */
  readonly route: string
  /** The address below the mount of the agent API, as it was called. */
  readonly path: string
  readonly effect: Effect
  /** Default: by the effect. */
  readonly scopes?: readonly string[] | undefined
  /** Whether its plugin opens it to tokens. */
  readonly isOpen?: boolean
  readonly body?: unknown
}

/** Why a call is refused. */
export type CallRefusal =
  | BoundaryRefusal
  | 'insufficient_scope'
  | 'route_not_allowed'
  | 'not_open_to_agents'
  | 'suppression_removal_not_allowed'
  | 'use_the_agent_route'

/** Undefined when the call may go on. */
export function callRefusal(
  caller: Caller,
  call: JudgedCall,
  boundary: Pick<Boundary, 'refusal'>
): CallRefusal | undefined {
  const { owner, isOpen = false, scopes = [scopeOf(call.effect)] } = call
  if (!scopes.every((scope) => holds(caller, scope))) return 'insufficient_scope'
  if (!coversPath(caller, call.path)) return 'route_not_allowed'
  if (owner === 'other' && !isOpen) return 'not_open_to_agents'
  return owner === 'agent' ? undefined : effectRefusal(call, boundary)
}

/** Whether a token could make some call of an operation of the agent API: for lists of what it may use. */
export const mayEverCall = (
  caller: Caller,
  { effect, path, access: { scopes = [scopeOf(effect)] } }: Operation<never>
): boolean => scopes.every((scope) => holds(caller, scope)) && reachesRoute(caller, path)

/** What the operation of a call says about it. */
export const factsOf = ({ method, path, effect, access, agent }: Operation<never>) => ({
  method,
  route: path,
  effect,
  scopes: access.scopes,
  isOpen: agent === true
})

const scopeOf = (effect: Effect): AgentScope => (effect === 'read' ? 'mail:read' : 'mail:write')

/** Whether some address of a declared path is covered; a parameter fits every word. */
const reachesRoute = ({ routes }: Caller, path: string): boolean =>
  routes === undefined || routes.some((route) => reaches(route.split('/'), path.split('/')))

function reaches(route: readonly string[], path: readonly string[]): boolean {
  const isOpen = route.at(-1) === '*'
  const words = isOpen ? route.slice(0, -1) : route
  if (isOpen ? path.length < words.length : path.length !== words.length) return false
  return words.every((word, index) => word === path[index] || path[index]?.startsWith(':'))
}

/** A token reads, changes drafts, stops, and mails test contacts; it never lifts a stop. */
function effectRefusal(
  call: JudgedCall,
  boundary: Pick<Boundary, 'refusal'>
): CallRefusal | undefined {
  switch (effectOfCall(call)) {
    case 'read':
    case 'change':
    case 'stop':
      return undefined
    case 'send': {
      const recipient = recipientOf(call)
      return recipient === undefined ? 'use_the_agent_route' : boundary.refusal(recipient)
    }
    case 'release':
      return call.route.startsWith('/suppressions')
        ? 'suppression_removal_not_allowed'
        : 'use_the_agent_route'
  }
}
