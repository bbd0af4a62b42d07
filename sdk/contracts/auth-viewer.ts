// auth.viewer/v1: the plugin that knows who is signed in.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../typebox.ts'
import type { Viewer } from '../viewer.ts'
import {
  type Capability,
  defineCapability,
  optionalFunctions,
  requiredFunctions
} from './contract.ts'

/** What a sign-in plugin provides. */
export interface ViewerProvider {
  /**
   * Who makes a request; null or undefined when it is not signed in. Called once for each request that
   * needs it, before the body is read. A throw answers the request with 500 (KRN_VIEWER_FAILED), and so
   * does a viewer without tenantId or role (KRN_VIEWER_INVALID).
   */
  resolveViewer(
    request: FastifyRequest
  ): Viewer | null | undefined | Promise<Viewer | null | undefined>
  /**
   * A person of a tenant by `viewerRef` (`<type>:<id>`), for what is done without a session; null when
   * unknown: OAuth clients then lose the access that the person granted. A throw fails the read.
   */
  loadViewer?(viewerRef: string, tenantId: string): Viewer | null | Promise<Viewer | null>
  /**
   * Ends the session of a request: clears cookies on the reply, but does not send it. Called for a
   * sign-out that an OAuth client asks for.
   */
  endSession?(request: FastifyRequest, reply: FastifyReply): unknown
  /** Contexts that people act in, if there are any: a person chooses one when they grant access to an OAuth client. */
  readonly contexts?: ViewerContexts
}

/** A person: both parts are the identity. */
export type ViewerPerson = Required<Pick<Viewer, 'tenantId' | 'viewerRef'>>

/** A context that a person may act in: an organisation, a workspace, a project. */
export interface ViewerContext {
  readonly id: string
  /** Shown to people. */
  readonly label: string
}

/** The contexts of people. A throw fails the request that asked. */
export interface ViewerContexts {
  /** Contexts this person may grant access for; the first 50 are shown. */
  list(
    person: ViewerPerson,
    about: { readonly clientId: string; readonly scopes: readonly string[] }
  ): Iterable<ViewerContext> | Promise<Iterable<ViewerContext>>
  /** Asked at consent and at every refresh; false ends the access. */
  verify(person: ViewerPerson, contextId: string): boolean | Promise<boolean>
  /** Labels of contexts in lists. A context that is left out is shown by its id. */
  describe?(
    contextIds: readonly string[]
  ): Iterable<ViewerContext> | Promise<Iterable<ViewerContext>>
}

/**
 * Who is signed in. One plugin provides it; the kernel asks it for viewer and admin routes unless the host
 * gives `resolveViewer` itself.
 */
export const authViewer: Capability<ViewerProvider> = defineCapability<ViewerProvider>(
  'auth.viewer/v1',
  Type.Object({
    ...requiredFunctions('resolveViewer'),
    ...optionalFunctions('loadViewer', 'endSession'),
    contexts: Type.Optional(
      Type.Object({ ...requiredFunctions('list', 'verify'), ...optionalFunctions('describe') })
    )
  })
)
