// The metadata of a protected resource (RFC 9728): its address and its document. Pure.
import { DPOP_ALGS } from './dpop.ts'

/** What the metadata says of a resource. */
export interface DescribedResource {
  /** Its id: an absolute URI. */
  readonly id: string
  /** Name for people. */
  readonly label?: string | undefined
  /** The authorization server whose tokens it takes. */
  readonly issuer: string
  readonly scopes: readonly string[]
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** What comes after the well-known part of the address: path and query of the id (§3.1), or all of an id without a host. */
export function resourceMetadataPath(id: string): string {
  const { protocol, pathname, search } = new URL(id)
  if (protocol !== 'http:' && protocol !== 'https:') return `/${encodeURIComponent(id)}`
  return `${pathname === '/' ? '' : pathname}${search}`
}

/** Where the metadata of a resource is. `fallback`: the origin for ids without a host. */
export function resourceMetadataUrl(id: string, fallback: string): string {
  const { protocol, origin } = new URL(id)
  const isHttp = protocol === 'http:' || protocol === 'https:'
  return `${isHttp ? origin : fallback}${WELL_KNOWN}${resourceMetadataPath(id)}`
}

/** The document at that address. */
export function resourceDocument({
  id,
  label,
  issuer,
  scopes
}: DescribedResource): Readonly<Record<string, unknown>> {
  return Object.freeze({
    resource: id,
    ...(label !== undefined && { resource_name: label }),
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: DPOP_ALGS
  })
}
