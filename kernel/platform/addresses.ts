// Where routes and pages of a plugin are: the mount and a declared path made one address.
import type { Manifest, ManifestPage, ManifestRoute } from '@keelson/sdk'

/** Addresses the kernel serves itself, with everything below those that end in `/*`. */
export const reservedAddresses: readonly string[] = [
  '/health/*',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/*',
  '/shell/*',
  '/embed/*'
]

export function isReserved(address: string): boolean {
  return reservedAddresses.some((reserved) =>
    reserved.endsWith('/*') ? address.startsWith(reserved.slice(0, -1)) : address === reserved
  )
}

/** The mount without a slash at its end; `/` itself stays. */
export function mountOf(manifest: Manifest, override: string | undefined): string {
  return withoutTrailingSlash(override ?? manifest.mount ?? `/${manifest.id}`)
}

/** The absolute address of a declared route. */
export function routeAddress(mount: string, route: Pick<ManifestRoute, 'path' | 'at'>): string {
  return route.at ?? joinAddress(mount, route.path ?? '/')
}

/** The absolute address of a declared page; `/<id>` below the mount when it does not say. */
export function pageAddress(mount: string, page: Pick<ManifestPage, 'id' | 'path' | 'at'>): string {
  return page.at ?? joinAddress(mount, page.path ?? `/${page.id}`)
}

export function joinAddress(mount: string, path: string): string {
  return withoutTrailingSlash(`${mount === '/' ? '' : mount}${path}`)
}

/** An absolute address as seen from a scope with a prefix; undefined when it lies elsewhere. */
export function belowPrefix(prefix: string, address: string): string | undefined {
  if (prefix === '' || prefix === '/') return address
  if (address === prefix) return '/'
  return address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : undefined
}

/** The key by which declared and registered routes are compared. */
export function routeKey(method: string, address: string): string {
  return `${method} ${withoutTrailingSlash(address)}`
}

function withoutTrailingSlash(address: string): string {
  return address.length > 1 && address.endsWith('/') ? address.slice(0, -1) : address || '/'
}
