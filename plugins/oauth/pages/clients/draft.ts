// A client that is being made or changed: what the form shows, and what the API wants. Pure.
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { OptionsAnswer } from '../../operations/answers.ts'
import { type AccessDraft, accessOf, emptyAccess } from './access-draft.ts'

/** What consent shows of a client, beside its name. */
export const BRANDING = ['publisher', 'logoUrl', 'homepageUrl', 'tosUrl', 'privacyUrl'] as const
type Branding = Readonly<Record<(typeof BRANDING)[number], string>>

export interface ClientDraft extends Branding, AccessDraft {
  readonly name: string
  readonly type: 'confidential' | 'public'
  /** How a confidential client authenticates: with a secret, keys at an address, or keys given here. */
  readonly proof: 'secret' | 'key' | 'inline'
  readonly jwksUri: string
  /** A key set as JSON. */
  readonly jwks: string
  /** One address a line. */
  readonly redirects: string
  readonly scopes: readonly string[]
  /** At least one. */
  readonly resources: readonly string[]
  /** One address a line. */
  readonly logoutUris: string
  /** Where the client gets logout tokens. Empty: nowhere. */
  readonly backchannelUri: string
  /** Empty: the default of the server. */
  readonly idTokenAlg: '' | 'ES256' | 'RS256'
  /** Whether requests may leave out PKCE; for confidential clients. */
  readonly noPkce: boolean
  /** Whether access tokens are bound to a key of the client. */
  readonly dpop: boolean
  /** Whether the client must push its authorization requests. */
  readonly par: boolean
}

const brandingOf = (given: Partial<Branding> = {}): Branding => ({
  publisher: given.publisher ?? '',
  logoUrl: given.logoUrl ?? '',
  homepageUrl: given.homepageUrl ?? '',
  tosUrl: given.tosUrl ?? '',
  privacyUrl: given.privacyUrl ?? ''
})

/** Every resource, and every scope but the sensitive ones: those are for an administrator to choose. */
export const emptyDraft = ({ scopes, resources }: OptionsAnswer): ClientDraft => ({
  name: '',
  type: 'confidential',
  proof: 'secret',
  jwksUri: '',
  jwks: '',
  redirects: '',
  ...brandingOf(),
  ...emptyAccess,
  logoutUris: '',
  backchannelUri: '',
  idTokenAlg: '',
  noPkce: false,
  dpop: false,
  par: false,
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
  jwks: '',
  ...brandingOf(client.branding),
  ...accessOf(client),
  logoutUris: client.postLogoutRedirectUris.join('\n'),
  backchannelUri: client.backchannelLogoutUri ?? '',
  idTokenAlg: client.idTokenAlg ?? '',
  noPkce: client.pkce === 'ifSent',
  dpop: client.dpopBoundAccessTokens ?? false,
  par: client.requirePushedAuthorizationRequests ?? false,
  redirects: client.redirectUris.join('\n'),
  scopes: client.allowedScopes,
  resources: client.allowedResources
})

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A key set; text that is not JSON is sent as it is, for the server to refuse. */
function keySetOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The filled fields of the branding; undefined when there are none. */
function filledBranding(draft: ClientDraft): Partial<Branding> | undefined {
  const filled = BRANDING.flatMap((name): [string, string][] => {
    const text = draft[name].trim()
    return text === '' ? [] : [[name, text]]
  })
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

const sharedBody = (draft: ClientDraft) => ({
  name: draft.name.trim(),
  redirectUris: lines(draft.redirects),
  allowedScopes: draft.scopes,
  allowedResources: draft.resources,
  postLogoutRedirectUris: lines(draft.logoutUris)
})

/** A public client cannot do without PKCE. */
const pkceOf = ({ type, noPkce }: ClientDraft) =>
  type === 'public' ? {} : { pkce: noPkce ? 'ifSent' : 'required' }

/** The body that makes the client. */
export function createBody(draft: ClientDraft): Readonly<Record<string, unknown>> {
  const { type, proof, jwksUri, jwks, idTokenAlg, noPkce, dpop, par } = draft
  const branding = filledBranding(draft)
  const backchannelLogoutUri = draft.backchannelUri.trim()
  const hasKey = type === 'confidential' && proof !== 'secret'
  return {
    ...sharedBody(draft),
    type,
    ...(hasKey && { tokenEndpointAuthMethod: 'private_key_jwt' }),
    ...(hasKey && proof === 'key' && { jwksUri: jwksUri.trim() }),
    ...(hasKey && proof === 'inline' && { jwks: keySetOf(jwks) }),
    ...(branding !== undefined && { branding }),
    ...(backchannelLogoutUri !== '' && { backchannelLogoutUri }),
    ...(idTokenAlg !== '' && { idTokenAlg }),
    ...(noPkce && pkceOf(draft)),
    ...(dpop && { dpopBoundAccessTokens: true }),
    ...(par && { requirePushedAuthorizationRequests: true })
  }
}

/** The body that changes it: how it authenticates stays, and null removes. */
export function changeBody(draft: ClientDraft): Readonly<Record<string, unknown>> {
  return {
    ...sharedBody(draft),
    branding: filledBranding(draft) ?? null,
    backchannelLogoutUri: draft.backchannelUri.trim() || null,
    idTokenAlg: draft.idTokenAlg === '' ? null : draft.idTokenAlg,
    ...pkceOf(draft),
    dpopBoundAccessTokens: draft.dpop,
    requirePushedAuthorizationRequests: draft.par
  }
}

/** The body that limits a client with a metadata document: the rest is what its document says. */
export const limitBody = ({
  scopes,
  resources
}: ClientDraft): Readonly<Record<string, unknown>> => ({
  allowedScopes: scopes,
  allowedResources: resources
})

/** A list with an entry put in or taken out. */
export const toggled = (list: readonly string[], id: string, isOn: boolean): readonly string[] =>
  isOn ? [...new Set([...list, id])] : list.filter((one) => one !== id)
