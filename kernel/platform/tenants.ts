// The tenants whose viewers a page or an operation admits, by a setting of its plugin.
import { settingAt } from '../network/configured-hosts.ts'

/** The tenants that a setting lists, where `place` is `${setting}`. */
export function tenantsAt(place: string, config: unknown): readonly string[] {
  const found = settingAt(place.slice(2, -1), config)
  const listed: readonly unknown[] = Array.isArray(found) ? found : [found]
  return listed.filter((tenant): tenant is string => typeof tenant === 'string')
}
