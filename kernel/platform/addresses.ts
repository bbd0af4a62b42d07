// Where routes and pages of a plugin are: the mount and a declared path made one address.
import type { Manifest, ManifestPage, ManifestRoute } from '@keelson/sdk'

/** Where a plugin is: its mount, which has the prefix of the platform, and that prefix. */
export interface Placement {
  readonly mount: string
  /** Empty, or like `/platform`. */
  readonly prefix: string
}

/** The mount without a slash at its end; `/` itself stays. */
export function mountOf(manifest: Manifest, override: string | undefined, prefix = ''): string {
  return joinAddress(prefix, withoutTrailingSlash(override ?? manifest.mount ?? `/${manifest.id}`))
}

/** The absolute address of a declared route. */
export function routeAddress(
  { mount, prefix }: Placement,
  route: Pick<ManifestRoute, 'path' | 'at'>
): string {
  if (route.at !== undefined) return addressAt(prefix, route.at)
  return joinAddress(mount, route.path ?? '/')
}

/** The absolute address of a declared page; `/<id>` below the mount when it does not say. */
export function pageAddress(
  { mount, prefix }: Placement,
  page: Pick<ManifestPage, 'id' | 'path' | 'at'>
): string {
  if (page.at !== undefined) return addressAt(prefix, page.at)
  return joinAddress(mount, page.path ?? `/${page.id}`)
}

/** An address declared with `at`, below the prefix; well-known addresses stay where standards put them. */
export function addressAt(prefix: string, at: string): string {
  return at.includes('/.well-known/') ? at : joinAddress(prefix, at)
}

export function joinAddress(mount: string, path: string): string {
  return withoutTrailingSlash(`${mount === '/' ? '' : mount}${path}`)
}

/** The key by which declared and registered routes are compared. */
export function routeKey(method: string, address: string): string {
  return `${method} ${withoutTrailingSlash(address)}`
}

function withoutTrailingSlash(address: string): string {
  return address.length > 1 && address.endsWith('/') ? address.slice(0, -1) : address || '/'
}
