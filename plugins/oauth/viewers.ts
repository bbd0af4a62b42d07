// The viewers of the platform as people of the OAuth host: tenant and viewerRef together are the identity.
import type { Host, Viewer } from '@keelson/sdk'
import {
  authViewer,
  type ViewerContexts,
  type ViewerProvider
} from '@keelson/sdk/contracts/auth-viewer'
import type { FastifyRequest } from 'fastify'
import type { GrantContext, OAuthUser } from './config/host-code.ts'
import { errors } from './errors.ts'
import type { HomeTenant } from './home-tenant.ts'

const KIND = 'user:'
/** Between the tenant and the id of a person. */
export const OF = '::'

/** How the ids of people begin whose tenant is named in them. */
export const tenantPrefix = (tenantId: string): string => `${encodeURIComponent(tenantId)}${OF}`

/** What identifies a person: a viewer without its role. */
export type PersonRef = Pick<Viewer, 'tenantId' | 'viewerRef'>

/**
 * The OAuth id of a viewer; undefined for viewers that are not people. People of the home tenant keep their
 * bare id, so that a platform with one tenant never shows it; those of other tenants are `<tenant>::<id>`.
 */
export function personId({ tenantId, viewerRef }: PersonRef, home: string): string | undefined {
  if (viewerRef === undefined || !viewerRef.startsWith(KIND)) return undefined
  const id = viewerRef.slice(KIND.length)
  if (id === '') return undefined
  // A bare id with the separator could be read as that of another tenant.
  return tenantId === home && !id.includes(OF) ? id : `${tenantPrefix(tenantId)}${id}`
}

/** The person behind an OAuth id. */
export function personOf(userId: string, home: string): Required<PersonRef> {
  const at = userId.indexOf(OF)
  if (at < 0) return { tenantId: home, viewerRef: `${KIND}${userId}` }
  const tenantId = decoded(userId.slice(0, at))
  return { tenantId, viewerRef: `${KIND}${userId.slice(at + OF.length)}` }
}

/** Text that nothing encoded is the tenant that nobody has: ids come from addresses too. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The tenant of the person behind an OAuth id. */
export const tenantOf = (userId: string, home: string): string => personOf(userId, home).tenantId

/** The tenants of people, once the home tenant is known. */
export const createTenantOf =
  (home: HomeTenant) =>
  async (userId: string): Promise<string | undefined> => {
    const known = await home.known()
    return known === undefined ? undefined : tenantOf(userId, known)
  }

/** A viewer as a person; null for viewers that are not people. */
export function userOfViewer(viewer: Viewer | null, home: string): OAuthUser | null {
  const id = viewer === null ? undefined : personId(viewer, home)
  if (viewer === null || id === undefined) return null
  const { email, emailVerified, name, authTime } = viewer
  return {
    id,
    ...(email !== undefined && { email }),
    ...(emailVerified !== undefined && { emailVerified }),
    ...(name !== undefined && { displayName: name }),
    ...(authTime !== undefined && { authTime })
  }
}

/** `hasContexts` false: contexts of the sign-in plugin are not used. @throws OAU_CONFIG_INVALID */
export function peopleOf(
  host: Host,
  { home, hasContexts }: { readonly home: HomeTenant; readonly hasContexts: boolean | undefined }
) {
  const provider = host.use(authViewer, { optional: true })
  const end = provider?.endSession?.bind(provider)
  return {
    resolveUser: async (request: FastifyRequest) => {
      const viewer = await host.resolveViewer(request)
      return viewer === null ? null : userOfViewer(viewer, await home.of(viewer.tenantId))
    },
    ...(provider?.loadViewer !== undefined && {
      loadUser: async (userId: string) => {
        const viewer = await loadViewerOf(userId, provider, home)
        return viewer === null ? null : userOfViewer(viewer, await home.of(viewer.tenantId))
      }
    }),
    ...(end !== undefined && { endSession: end }),
    ...grantContextOf(provider?.contexts, home, hasContexts)
  }
}

/** The viewer behind an OAuth id, as the sign-in plugin knows them now; null for one who is gone. */
export async function loadViewerOf(
  userId: string,
  provider: ViewerProvider | undefined,
  home: HomeTenant
): Promise<Viewer | null> {
  const known = await home.known()
  if (known === undefined || provider?.loadViewer === undefined) return null
  const { tenantId, viewerRef } = personOf(userId, known)
  const viewer = await provider.loadViewer(viewerRef, tenantId)
  // Another tenant may have the same viewerRef.
  return viewer?.tenantId === tenantId ? viewer : null
}

/** The contexts of the sign-in plugin, as the OAuth host asks for them. */
function grantContextOf(
  contexts: ViewerContexts | undefined,
  home: HomeTenant,
  hasContexts: boolean | undefined
): { readonly grantContext?: GrantContext } {
  if (hasContexts === false) return {}
  if (contexts === undefined) {
    if (hasContexts === undefined) return {}
    const problem = 'is true, and the provider of auth.viewer/v1 has no contexts'
    throw errors.OAU_CONFIG_INVALID({ path: 'grantContext', problem })
  }
  // A person was seen before they are asked about, so the home tenant is known.
  const person = async ({ id }: OAuthUser) => personOf(String(id), (await home.known()) ?? '')
  const { describe } = contexts
  return {
    grantContext: {
      list: async (user, { client: { clientId }, scopes }) =>
        contexts.list(await person(user), { clientId, scopes }),
      verify: async (user, contextId) => contexts.verify(await person(user), contextId),
      ...(describe !== undefined && { describe: describe.bind(contexts) })
    }
  }
}
