// Who of a band is admitted to a route: the tenants that it names, and the permission that it asks for.
import type { ManifestRoute, PermissionRule, Viewer } from '@keelson/sdk'
import type { RouteOwner } from '../http/owner.ts'

/** The rules of permissions, by the id of the plugin that decides them. */
export type PermissionBook = Map<string, PermissionRule>

/** Whether a viewer of the right band is admitted. */
export type Admission = (viewer: Viewer) => boolean | Promise<boolean>

/** The platform itself, whose viewers belong everywhere. */
const PLATFORM = '*'

/** Undefined for a route that admits everyone of its band. */
export function admissionOf(
  { tenants, permission }: Pick<ManifestRoute, 'tenants' | 'permission'>,
  owner: Pick<RouteOwner, 'tenantsAt'>,
  permissions: PermissionBook
): Admission | undefined {
  if (tenants === undefined && permission === undefined) return undefined
  const admitted =
    tenants === undefined ? undefined : new Set([PLATFORM, ...owner.tenantsAt(tenants)])
  const may = permission === undefined ? undefined : mayOf(permissions, permission)
  return (viewer) =>
    (admitted === undefined || admitted.has(viewer.tenantId)) && (may?.(viewer) ?? true)
}

/** Whether a viewer has a permission, as the rule of its plugin says. */
export function mayOf(permissions: PermissionBook, permission: string): Admission {
  const [plugin = '', name = ''] = permission.split('.')
  return (viewer) => permissions.get(plugin)?.(viewer, name) ?? true
}
