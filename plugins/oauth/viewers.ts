// The people of the platform as the OAuth host knows them: viewers, and what the sign-in plugin tells of them.
import type { Host, Viewer } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthUser } from './config/host-code.ts'

/** What a provider of `auth.viewer/v1` may offer besides `resolveViewer`. */
export interface ViewerProvider {
  /** A person by `viewerRef`, for claims that are read without a session. */
  loadViewer?(viewerRef: string): Promise<Viewer | null> | Viewer | null
  /** Ends the session of a request. */
  endSession?(request: FastifyRequest, reply: FastifyReply): Promise<unknown> | unknown
}

const KIND = 'user:'

/** A viewer as a person; nobody for viewers that are no people. */
export function userOfViewer(viewer: Viewer | null): OAuthUser | null {
  const { viewerRef, email, name, authTime } = viewer ?? {}
  if (viewerRef === undefined || !viewerRef.startsWith(KIND)) return null
  return {
    id: viewerRef.slice(KIND.length),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { displayName: name }),
    ...(authTime !== undefined && { authTime })
  }
}

export function peopleOf(host: Host) {
  const provider = host.use<ViewerProvider | undefined>('auth.viewer/v1')
  const load = provider?.loadViewer?.bind(provider)
  const end = provider?.endSession?.bind(provider)
  return {
    resolveUser: async (request: FastifyRequest) => userOfViewer(await host.resolveViewer(request)),
    ...(load !== undefined && {
      loadUser: async (userId: string) => userOfViewer(await load(`${KIND}${userId}`))
    }),
    ...(end !== undefined && { endSession: end })
  }
}
