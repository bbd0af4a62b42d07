// The resources of a client: kept as paths where they are below the issuer's origin, so that a new public address keeps them. Pure.
import type { Settings } from '../config/settings.ts'

type Origin = Pick<Settings, 'issuerOrigin'>

/** As it is stored: `/mcp` for a resource of the issuer's origin, else the id itself. */
export const storedResource = (id: string, { issuerOrigin }: Origin): string =>
  id.startsWith(`${issuerOrigin}/`) ? id.slice(issuerOrigin.length) : id

/** The id behind a stored resource. */
export const resourceOfStored = (stored: string, { issuerOrigin }: Origin): string =>
  stored.startsWith('/') ? `${issuerOrigin}${stored}` : stored

/** The ids that a client may use, in their order. Clients of earlier versions may have none listed: all. */
export function resourcesOf(
  { allowedResources }: { readonly allowedResources: readonly string[] },
  settings: Pick<Settings, 'issuerOrigin' | 'resources'>
): readonly string[] {
  if (allowedResources.length === 0) return [...settings.resources.keys()]
  return allowedResources.map((stored) => resourceOfStored(stored, settings))
}
