// Both halves of the way to the host's people in one object.
import { errors } from '../errors.ts'
import { defaultResolveUser } from './settings.ts'
import type { LoadUser, ResolveUser, UserAdapter } from './types.ts'

/**
 * Makes the `userAdapter` of a host. `resolveUser` says who sends a request (default:
 * `defaultResolveUser`), `loadUser` finds a person by id.
 *
 * @throws OAU_CONFIG_INVALID for what is no function
 */
export function createUserAdapter(
  options: { readonly resolveUser?: ResolveUser; readonly loadUser?: LoadUser } = {}
): UserAdapter {
  for (const name of ['resolveUser', 'loadUser'] as const) {
    const value: unknown = options[name]
    if (value !== undefined && typeof value !== 'function') {
      throw errors.OAU_CONFIG_INVALID({ path: name, problem: `"${value}" is not a function` })
    }
  }
  const { resolveUser = defaultResolveUser, loadUser } = options
  return Object.freeze({ resolveUser, ...(loadUser !== undefined && { loadUser }) })
}
