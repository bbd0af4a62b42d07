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
      /** Names the refused value. */
      readonly description: string
    }

type Allowed = Pick<OAuthClient, 'allowedScopes' | 'allowedResources'>

const refused = (
  error: 'invalid_scope' | 'invalid_target',
  sentence: string,
  value?: string
): Target => ({ ok: false, error, description: naming(sentence, value) })

const MAX_NAMED = 200

/** A sentence with the value that it is about, in the characters of `error_description` (RFC 6749 §5.2). */
const naming = (sentence: string, value: string | undefined): string =>
  value === undefined
    ? sentence
    : `${sentence} It was: ${value.slice(0, MAX_NAMED).replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?')}`

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
  const own = resourcesOf(client, settings)
  if (wanted.length > 20) return refused('invalid_target', 'The request has too many resources.')
  const resources: string[] = []
  for (const given of new Set(wanted)) {
    const resource = settings.findResource(given)
    if (resource === undefined) {
      return refused('invalid_target', 'A requested resource is unknown.', given)
    }
    if (!own.includes(resource.id)) {
      return refused('invalid_target', 'A requested resource is not allowed to this client.', given)
    }
    if (!resources.includes(resource.id)) resources.push(resource.id)
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
  const asksFor = wanted.resources.map((id) => settings.findResource(id)?.id ?? id)
  const resources = wanted.resources.length === 0 ? allowed : [...new Set(asksFor)]
  const foreign = resources.find((id) => !allowed.includes(id))
  if (foreign !== undefined) {
    return refused('invalid_target', 'A requested resource was not granted.', foreign)
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
  const excess = asked.find((one) => !granted.scopes.includes(one))
  if (excess !== undefined) {
    return refused('invalid_scope', 'A requested scope was not granted.', excess)
  }
  const misplaced = asked.find((one) => !within.includes(one))
  if (misplaced !== undefined) {
    return refused(
      'invalid_scope',
      'A requested scope does not belong to a requested resource.',
      misplaced
    )
  }
  const scopes = asked.length === 0 ? within : asked
  if (scopes.length === 0) {
    return refused('invalid_scope', 'No granted scope belongs to the requested resource.')
  }
  return { ok: true, scopes, resources }
}
