// Which scopes and resources a request gets: each must be in the catalogue, allowed to the client, and of the resource. Pure.

import { resourcesOf } from '../clients/allowed-resources.ts'
import type { Resource, Settings } from '../config/settings.ts'
import type { OAuthClient } from '../storage/rows.ts'

/** The scopes and resources of a request, or the error that refuses them. */
export type Target =
  | { readonly ok: true; readonly scopes: readonly string[]; readonly resources: readonly string[] }
  | {
      readonly ok: false
      readonly error: 'invalid_scope' | 'invalid_target'
      readonly description: string
      /** For the diagnostics: what was refused. */
      readonly value?: string
    }

type Allowed = Pick<OAuthClient, 'allowedScopes' | 'allowedResources'>

const refused = (
  error: 'invalid_scope' | 'invalid_target',
  description: string,
  value?: string
): Target => ({ ok: false, error, description, ...(value !== undefined && { value }) })

/** Scopes of a `scope` parameter, each once. */
export const scopesOf = (scope: string): readonly string[] => [
  ...new Set(scope.split(' ').filter(Boolean))
]

/** The target of an authorization request. */
export function requestedTarget(
  scope: string | undefined,
  wanted: readonly string[],
  client: Allowed,
  settings: Settings
): Target {
  const resources = [...new Set(wanted)]
  const own = resourcesOf(client, settings)
  if (resources.length > 20) return refused('invalid_target', 'The request has too many resources.')
  for (const id of resources) {
    if (!settings.resources.has(id)) {
      return refused('invalid_target', 'A requested resource is unknown.', id)
    }
    if (!own.includes(id)) {
      return refused('invalid_target', 'A requested resource is not allowed to this client.', id)
    }
  }
  if (resources.length === 0) {
    resources.push(own[0] ?? settings.firstResource.id)
  }
  const configured = resources
    .map((id) => settings.resources.get(id))
    .filter((one) => one !== undefined)
  return withScopes(scope, configured, client, settings)
}

function withScopes(
  scope: string | undefined,
  resources: readonly Resource[],
  client: Allowed,
  settings: Settings
): Target {
  const ids = resources.map(({ id }) => id)
  const isListed = (one: string) => resources.some(({ scopes }) => scopes.has(one))
  const asked = scopesOf(scope ?? '')
  if (asked.length === 0) {
    const defaults = settings.defaultScopes.filter(
      (one) => client.allowedScopes.includes(one) && isListed(one)
    )
    return defaults.length > 0
      ? { ok: true, scopes: defaults, resources: ids }
      : refused('invalid_scope', 'The request has no scope.')
  }
  for (const one of asked) {
    if (!settings.scopes.has(one)) {
      return refused('invalid_scope', 'A requested scope is unknown.', one)
    }
    if (!client.allowedScopes.includes(one)) {
      return refused('invalid_scope', 'A requested scope is not allowed to this client.', one)
    }
    if (!isListed(one)) {
      return refused(
        'invalid_scope',
        'A requested scope does not belong to a requested resource.',
        one
      )
    }
  }
  return { ok: true, scopes: asked, resources: ids }
}

/** The scopes and resources that were granted. */
export interface GrantedTarget {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
}

/** What a token request asks for. */
export interface NarrowRequest {
  readonly resources: readonly string[]
  readonly scope: string | undefined
  /** Its limits now: they may be stricter than when access was granted. */
  readonly client: Allowed
}

/**
 * The target of a token request within what was granted: `resource` narrows to some of the resources and
 * removes the scopes of the others; `scope` narrows further.
 */
export function narrow(granted: GrantedTarget, wanted: NarrowRequest, settings: Settings): Target {
  const { client } = wanted
  const own = resourcesOf(client, settings)
  const allowed = granted.resources.filter((id) => own.includes(id))
  const resources = wanted.resources.length === 0 ? allowed : [...new Set(wanted.resources)]
  if (resources.some((id) => !allowed.includes(id))) {
    return refused('invalid_target', 'A requested resource was not granted.')
  }
  const configured = resources
    .map((id) => settings.resources.get(id))
    .filter((one) => one !== undefined)
  if (configured.length === 0)
    return refused('invalid_target', 'The resource is no longer configured.')
  const within = granted.scopes.filter(
    (one) => client.allowedScopes.includes(one) && configured.some(({ scopes }) => scopes.has(one))
  )
  const asked = scopesOf(wanted.scope ?? '')
  if (asked.some((one) => !granted.scopes.includes(one))) {
    return refused('invalid_scope', 'A requested scope was not granted.')
  }
  if (asked.some((one) => !within.includes(one))) {
    return refused('invalid_scope', 'A requested scope does not belong to a requested resource.')
  }
  const scopes = asked.length === 0 ? within : asked
  if (scopes.length === 0) {
    return refused('invalid_scope', 'No granted scope belongs to the requested resource.')
  }
  return { ok: true, scopes, resources }
}
