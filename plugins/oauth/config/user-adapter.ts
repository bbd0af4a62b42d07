// Makes the user adapter of a host: who sends a request, and a person by id.
import { errors } from '../errors.ts'
import type { LoadUser, ResolveUser, UserAdapter } from './host-code.ts'
import { defaultResolveUser } from './settings.ts'

/**
 * Makes the `userAdapter` of a host. `resolveUser` says who sends a request (default:
 * `defaultResolveUser`), `loadUser` finds a person by id.
 *
 * @throws OAU_CONFIG_INVALID when an option is not a function
 */
export function createUserAdapter(
  options: { readonly resolveUser?: ResolveUser; readonly loadUser?: LoadUser } = {}
): UserAdapter {
  for (const name of ['resolveUser', 'loadUser'] as const) {
    const value: unknown = options[name]
    if (value !== undefined && typeof value !== 'function') {
      throw errors.OAU_CONFIG_INVALID({
        path: name,
        problem: `must be a function, but is "${value}"`
      })
    }
  }
  const { resolveUser = defaultResolveUser, loadUser } = options
  return Object.freeze({ resolveUser, ...(loadUser !== undefined && { loadUser }) })
}
