// A client that is being made or changed: what the form shows, and what the API wants. Pure.
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { OptionsAnswer } from '../../routes/own-schemas.ts'

export interface ClientDraft {
  readonly name: string
  readonly type: 'confidential' | 'public'
  /** How a confidential client proves itself. */
  readonly proof: 'secret' | 'key'
  readonly jwksUri: string
  /** One address a line. */
  readonly redirects: string
  readonly scopes: readonly string[]
  /** At least one. */
  readonly resources: readonly string[]
}

/** Every resource, and every scope but the sensitive ones: those are for an administrator to choose. */
export const emptyDraft = ({ scopes, resources }: OptionsAnswer): ClientDraft => ({
  name: '',
  type: 'confidential',
  proof: 'secret',
  jwksUri: '',
  redirects: '',
  scopes: scopes.filter(({ isSensitive }) => !isSensitive).map(({ id }) => id),
  resources: resources.map(({ id }) => id)
})

/** The draft with what a preset knows; an unknown preset changes nothing. */
export function withPreset(
  draft: ClientDraft,
  id: string,
  presets: OptionsAnswer['presets']
): ClientDraft {
  const preset = presets.find((one) => one.id === id)
  if (preset === undefined) return draft
  const { name, type, redirectUris } = preset
  return { ...draft, name, type, proof: 'secret', redirects: redirectUris.join('\n') }
}

export const draftOf = (client: ClientAnswer): ClientDraft => ({
  name: client.name,
  type: client.type,
  proof: client.tokenEndpointAuthMethod === 'private_key_jwt' ? 'key' : 'secret',
  jwksUri: client.jwksUri ?? '',
  redirects: client.redirectUris.join('\n'),
  scopes: client.allowedScopes,
  resources: client.allowedResources
})

const lines = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The body that makes the client. */
export function createBody(draft: ClientDraft): Readonly<Record<string, unknown>> {
  const { name, type, proof, jwksUri, redirects, scopes, resources } = draft
  const hasKey = type === 'confidential' && proof === 'key'
  return {
    name: name.trim(),
    type,
    redirectUris: lines(redirects),
    allowedScopes: scopes,
    allowedResources: resources,
    ...(hasKey && { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: jwksUri.trim() })
  }
}

/** The body that changes it: how it proves itself stays. */
export function changeBody(draft: ClientDraft): Readonly<Record<string, unknown>> {
  const { name, redirects, scopes, resources } = draft
  return {
    name: name.trim(),
    redirectUris: lines(redirects),
    allowedScopes: scopes,
    allowedResources: resources
  }
}

/** A list with an entry put in or taken out. */
export const toggled = (list: readonly string[], id: string, isOn: boolean): readonly string[] =>
  isOn ? [...new Set([...list, id])] : list.filter((one) => one !== id)
