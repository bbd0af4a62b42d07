// What a client may ask for: scopes and resources, each within the catalogue, the client, the resource. Pure.
import type { Resource, Settings } from '../config/settings.ts'
import type { OAuthClient } from '../storage/rows.ts'

export type Reach =
  | { readonly ok: true; readonly scopes: readonly string[]; readonly resources: readonly string[] }
  | {
      readonly ok: false
      readonly error: 'invalid_scope' | 'invalid_target'
      readonly description: string
    }

type Allowed = Pick<OAuthClient, 'allowedScopes' | 'allowedResources'>

const refused = (error: 'invalid_scope' | 'invalid_target', description: string): Reach => ({
  ok: false,
  error,
  description
})

/** Scopes of a `scope` parameter, each once. */
export const scopesOf = (scope: string): readonly string[] => [
  ...new Set(scope.split(' ').filter(Boolean))
]

/** Decides what an authorization request reaches for. */
export function reachOf(
  scope: string | undefined,
  wanted: readonly string[],
  client: Allowed,
  settings: Settings
): Reach {
  const resources = [...new Set(wanted)]
  if (resources.length > 20) return refused('invalid_target', 'That is too many resources.')
  for (const id of resources) {
    if (!settings.resources.has(id)) {
      return refused('invalid_target', 'A requested resource is not known here.')
    }
    if (!mayUse(client, id)) {
      return refused('invalid_target', 'A requested resource is not allowed to this client.')
    }
  }
  if (resources.length === 0) {
    const first = client.allowedResources[0] ?? settings.firstResource.id
    resources.push(first)
  }
  const known = resources.map((id) => settings.resources.get(id)).filter((one) => one !== undefined)
  return withScopes(scope, known, client, settings)
}

export const mayUse = ({ allowedResources }: Allowed, id: string): boolean =>
  allowedResources.length === 0 || allowedResources.includes(id)

function withScopes(
  scope: string | undefined,
  resources: readonly Resource[],
  client: Allowed,
  settings: Settings
): Reach {
  const ids = resources.map(({ id }) => id)
  const isListed = (one: string) => resources.some(({ scopes }) => scopes.has(one))
  const asked = scopesOf(scope ?? '')
  if (asked.length === 0) {
    const usual = settings.defaultScopes.filter(
      (one) => client.allowedScopes.includes(one) && isListed(one)
    )
    return usual.length > 0
      ? { ok: true, scopes: usual, resources: ids }
      : refused('invalid_scope', 'The request names no scope.')
  }
  for (const one of asked) {
    if (!settings.scopes.has(one)) {
      return refused('invalid_scope', 'A requested scope is not known here.')
    }
    if (!client.allowedScopes.includes(one)) {
      return refused('invalid_scope', 'A requested scope is not allowed to this client.')
    }
    if (!isListed(one)) {
      return refused(
        'invalid_scope',
        'A requested scope belongs to none of the requested resources.'
      )
    }
  }
  return { ok: true, scopes: asked, resources: ids }
}

export interface Held {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
}

export interface Wanted {
  readonly resources: readonly string[]
  readonly scope: string | undefined
  /** What it may have by now: less, perhaps, than when it was granted. */
  readonly client: Allowed
}

/**
 * What a token request gets of what was granted: `resource` narrows to some of the resources and takes
 * the scopes of the others away; `scope` narrows further.
 */
export function narrow(held: Held, wanted: Wanted, settings: Settings): Reach {
  const { client } = wanted
  const granted = held.resources.filter((id) => mayUse(client, id))
  const resources = wanted.resources.length === 0 ? granted : [...new Set(wanted.resources)]
  if (resources.some((id) => !granted.includes(id))) {
    return refused('invalid_target', 'A requested resource was not granted.')
  }
  const known = resources.map((id) => settings.resources.get(id)).filter((one) => one !== undefined)
  if (known.length === 0) return refused('invalid_target', 'The resource is not known any more.')
  const within = held.scopes.filter(
    (one) => client.allowedScopes.includes(one) && known.some(({ scopes }) => scopes.has(one))
  )
  const asked = scopesOf(wanted.scope ?? '')
  if (asked.some((one) => !held.scopes.includes(one))) {
    return refused('invalid_scope', 'A requested scope was not granted.')
  }
  if (asked.some((one) => !within.includes(one))) {
    return refused('invalid_scope', 'A requested scope belongs to none of the requested resources.')
  }
  const scopes = asked.length === 0 ? within : asked
  if (scopes.length === 0) {
    return refused('invalid_scope', 'No granted scope belongs to the requested resource.')
  }
  return { ok: true, scopes, resources }
}
