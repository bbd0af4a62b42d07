// Checks an authorization request: errors to render, errors to redirect to the client, or the request. Pure.
import { languageTags } from '@keelson/ui/server'
import { grantsOf } from '../clients/grant-types.ts'
import { isRegistered } from '../clients/redirect-uris.ts'
import type { Settings } from '../config/settings.ts'
import type { OAuthClient } from '../storage/rows.ts'
import type { Parameters } from './parameters.ts'
import { requestedTarget, scopesOf } from './scopes.ts'

export type Prompt = 'none' | 'login' | 'consent' | 'select_account'
export type ResponseMode = 'query' | 'form_post'

/** Where an answer goes. Only made once client and callback are proven. */
export interface ReturnAddress {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly mode: ResponseMode
}

export interface AuthorizationRequest extends ReturnAddress {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** Undefined only for a client that may leave it out. */
  readonly codeChallenge: string | undefined
  readonly nonce: string | undefined
  readonly prompts: readonly Prompt[]
  readonly maxAge: number | undefined
  readonly loginHint: string | undefined
  /** Tags of languages, well-formed, separated by spaces. */
  readonly uiLocales: string | undefined
  readonly idTokenHint: string | undefined
  readonly dpopJkt: string | undefined
}

export interface RenderedFault {
  readonly kind: 'render'
  readonly error: string
  readonly description: string
  /** For the diagnostics: what was refused. */
  readonly value?: string
}

export type ReadResult =
  | RenderedFault
  | {
      readonly kind: 'redirect'
      readonly error: string
      readonly description: string
      readonly value?: string
      readonly to: ReturnAddress
    }
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }

const PROMPTS: readonly string[] = ['none', 'login', 'consent', 'select_account']
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const MAX_NONCE = 1024
const MAX_STATE = 8192

const render = (error: string, description: string): RenderedFault => ({
  kind: 'render',
  error,
  description
})

/** The fault of a request that names no client; undefined when it names one. */
export function unidentified(parameters: Parameters): RenderedFault | undefined {
  if (parameters.get('client_id') !== undefined) return undefined
  return render(
    'invalid_request',
    parameters.repeated.includes('client_id')
      ? 'client_id is given twice.'
      : 'client_id is missing.'
  )
}

/** One answer for every client that cannot be used: the caller must not learn the reason. */
export const UNKNOWN_CLIENT = render('invalid_client', 'This client is unknown.')

/** The one refusal of a client that says why: the person can ask an administrator. */
export const NOT_APPROVED = render(
  'access_denied',
  'An administrator must approve this application first.'
)

/** Reads the request of a known, active client. */
export function readRequest(
  parameters: Parameters,
  client: OAuthClient,
  settings: Settings,
  { isPushed }: { readonly isPushed: boolean }
): ReadResult {
  const redirectUri = parameters.get('redirect_uri')
  if (redirectUri === undefined) {
    return render(
      'invalid_request',
      parameters.repeated.includes('redirect_uri')
        ? 'redirect_uri is given twice.'
        : 'redirect_uri is missing.'
    )
  }
  if (!isRegistered(client.redirectUris, redirectUri)) {
    const fault = render('invalid_request', 'redirect_uri is not registered for this client.')
    return { ...fault, value: redirectUri }
  }
  const mode = parameters.get('response_mode') ?? 'query'
  const to: ReturnAddress = {
    redirectUri,
    state: parameters.get('state'),
    mode: mode === 'form_post' ? 'form_post' : 'query'
  }
  const refusal =
    grantProblem(client) ??
    formProblem(parameters, mode) ??
    requestObjectProblem(parameters, client, isPushed)
  if (refusal !== undefined) return { kind: 'redirect', ...refusal, to }
  return readRest(parameters, client, settings, to)
}

interface Refusal {
  readonly error: string
  readonly description: string
  readonly value?: string
}
const invalid = (description: string): Refusal => ({ error: 'invalid_request', description })

const grantProblem = (client: OAuthClient): Refusal | undefined =>
  grantsOf(client).includes('authorization_code')
    ? undefined
    : {
        error: 'unauthorized_client',
        description: 'authorization_code is not among the grantTypes of this client.'
      }

function formProblem(parameters: Parameters, mode: string): Refusal | undefined {
  const [twice] = parameters.repeated.filter((name) => SINGLE.has(name))
  if (twice !== undefined) return invalid(`${twice} is given twice.`)
  if (parameters.garbled.length > 0) return invalid('A parameter is not encoded as UTF-8.')
  if (mode !== 'query' && mode !== 'form_post') return invalid('response_mode is not supported.')
  if ((parameters.get('state')?.length ?? 0) > MAX_STATE) return invalid('state is too long.')
  const type = parameters.get('response_type')
  if (type === 'code') return undefined
  return {
    error: 'unsupported_response_type',
    description: type === undefined ? 'response_type is missing.' : 'response_type must be code.'
  }
}

const SINGLE = new Set([
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'claims',
  'request',
  'request_uri',
  'dpop_jkt',
  'acr_values',
  'display'
])

function requestObjectProblem(
  parameters: Parameters,
  client: OAuthClient,
  isPushed: boolean
): Refusal | undefined {
  if (parameters.get('request') !== undefined) {
    return { error: 'request_not_supported', description: 'Request objects are not supported.' }
  }
  if (parameters.get('request_uri') !== undefined) {
    return {
      error: 'request_uri_not_supported',
      description: 'request_uri must be one that this server gave out.'
    }
  }
  if (client.requirePushedAuthorizationRequests === true && !isPushed) {
    return invalid('This client must push its requests.')
  }
  return undefined
}

function readRest(
  parameters: Parameters,
  client: OAuthClient,
  settings: Settings,
  to: ReturnAddress
): ReadResult {
  const refuse = (refusal: Refusal): ReadResult => ({ kind: 'redirect', ...refusal, to })
  const codeChallenge = parameters.get('code_challenge')
  const pkceFault = pkceProblem(parameters, client)
  if (pkceFault !== undefined) return refuse(invalid(pkceFault))
  const target = requestedTarget(
    parameters.get('scope'),
    parameters.all('resource'),
    client,
    settings
  )
  if (!target.ok) {
    const { ok: _refused, ...refusal } = target
    return refuse(refusal)
  }
  const maxAge = parameters.get('max_age')
  if (maxAge !== undefined && !/^[0-9]{1,10}$/.test(maxAge)) {
    return refuse(invalid('max_age must be a number of seconds.'))
  }
  const prompts = readPrompts(parameters.get('prompt'))
  if (prompts === undefined) return refuse(invalid('prompt=none must not have other values.'))
  const nonce = parameters.get('nonce')
  if ((nonce?.length ?? 0) > MAX_NONCE) return refuse(invalid('nonce is too long.'))
  const dpopJkt = parameters.get('dpop_jkt')
  if (dpopJkt !== undefined && !CHALLENGE.test(dpopJkt)) {
    return refuse(invalid('dpop_jkt must be a SHA-256 thumbprint.'))
  }
  return {
    kind: 'request',
    request: {
      ...to,
      clientId: client.clientId,
      scopes: target.scopes,
      resources: target.resources,
      codeChallenge,
      nonce,
      prompts,
      maxAge: maxAge === undefined ? undefined : Number(maxAge),
      loginHint: parameters.get('login_hint'),
      uiLocales: languageTags(parameters.get('ui_locales')).join(' ') || undefined,
      idTokenHint: parameters.get('id_token_hint'),
      dpopJkt
    }
  }
}

/** A code without a challenge is protected by the nonce instead, which openid-clients check (OAuth 2.1 §7.6). */
function pkceProblem(
  parameters: Parameters,
  { pkce, type }: Pick<OAuthClient, 'pkce' | 'type'>
): string | undefined {
  const challenge = parameters.get('code_challenge')
  const method = parameters.get('code_challenge_method')
  if (challenge !== undefined) {
    if (method !== 'S256') return 'code_challenge_method must be S256.'
    return CHALLENGE.test(challenge) ? undefined : 'code_challenge must be the S256 of a verifier.'
  }
  if (pkce !== 'ifSent' || type === 'public') return 'code_challenge is missing.'
  if (method !== undefined) return 'code_challenge_method is given without code_challenge.'
  if (!scopesOf(parameters.get('scope') ?? '').includes('openid')) {
    return 'code_challenge is missing: it can be left out only with the scope openid.'
  }
  return parameters.get('nonce') === undefined
    ? 'code_challenge is missing: it can be left out only with a nonce.'
    : undefined
}

/** Unknown values are ignored; `none` must be alone. */
function readPrompts(prompt: string | undefined): readonly Prompt[] | undefined {
  const given = (prompt ?? '').split(' ').filter(Boolean)
  const known = given.filter((value): value is Prompt => PROMPTS.includes(value))
  if (given.includes('none') && given.length > 1) return undefined
  return known
}
