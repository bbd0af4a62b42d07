// How operations are served to tokens: who acts, who is refused, what a call is named by.
import { operationOf, type Refused, type ServeEach } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'
import type { AgentHost } from '../agent-host.ts'
import type { ErrorDocs } from '../answers/error-docs.ts'
import { refusals } from '../answers/refusals.ts'
import { type CallOwner, callRefusal, factsOf } from '../boundary/judge-call.ts'
import type { Verifier } from '../tokens/verify-callers.ts'

/** What the routes of one agent API share. */
export interface AgentRoutes {
  readonly host: AgentHost
  readonly closing: AbortSignal
  readonly verifier: Verifier
  /** Their mount is what all addresses are below. */
  readonly docs: ErrorDocs
  /** Names a call to those before it, by its Idempotency-Key. */
  callKeyOf(request: FastifyRequest): string | undefined
}

/** What every call may be refused with before its operation runs. */
export const ACCESS_REFUSALS = refusals.only(
  'insufficient_scope',
  'route_not_allowed',
  'not_open_to_agents',
  'test_contacts_not_configured',
  'not_a_test_contact',
  'suppression_removal_not_allowed',
  'use_the_agent_route'
)

/** Below `base`. The boundary is asked with the body, which is parsed by then and not checked. */
export const serveOptionsOf =
  (
    { host, closing, verifier, docs, callKeyOf }: AgentRoutes,
    owner: CallOwner,
    base = ''
  ): ServeEach =>
  (operation) => {
    const facts = factsOf(operation)
    return {
      url: base + operation.path,
      closing,
      actorOf: verifier.actorOf,
      may: () => true,
      callKeyOf,
      config: { verify: verifier.verify },
      refusals: ACCESS_REFUSALS,
      refusal(request): Refused | undefined {
        const call = { ...facts, owner, path: pathOf(request, docs.mount), body: request.body }
        const word = callRefusal(verifier.callerOf(request), call, host.boundary)
        return word === undefined ? undefined : refusals.refuse(word)
      }
    }
  }

/** The address below the mount, as it was called. */
export const pathOf = ({ url }: FastifyRequest, mount: string): string =>
  url.split('?', 1)[0]?.slice(mount.length) ?? ''

/** Whether a request that a crash cut short must not be carried out again. */
export const isOnceOnly = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  operationOf(config)?.hints?.once === true
