// The viewers of the platform as people of the OAuth host.
import type { Host, Viewer } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import type { FastifyRequest } from 'fastify'
import type { OAuthUser } from './config/host-code.ts'

const KIND = 'user:'

/** A viewer as a person; null for viewers that are not people. */
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
  const provider = host.use(authViewer, { optional: true })
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
