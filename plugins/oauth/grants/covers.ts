// Whether what was granted is enough for what is asked for. Pure.
import type { OAuthGrant } from '../storage/rows.ts'

type Granted = Pick<OAuthGrant, 'scopes' | 'resources'>

/** Whether a grant holds all scopes and resources of a request. */
export function covers(grant: Granted, wanted: Granted): boolean {
  return (
    wanted.scopes.every((scope) => grant.scopes.includes(scope)) &&
    wanted.resources.every((resource) => grant.resources.includes(resource))
  )
}
