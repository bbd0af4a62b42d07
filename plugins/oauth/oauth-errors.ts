// The errors that go to clients and people, in one table: as JSON, by redirect, or on a page.
import { type Refusal, refusalTable } from '@keelson/protect/rules'

export interface OAuthErrorOptions {
  /** Response headers that belong to the error, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A protocol error that is answered as itself: HTTP status, RFC code, description. */
export class OAuthError extends Error {
  override readonly name: string = 'OAuthError'
  readonly status: number
  readonly statusCode: number
  readonly code: string
  readonly description: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    description?: string,
    { headers = {}, cause }: OAuthErrorOptions = {}
  ) {
    super(description ?? code, cause === undefined ? {} : { cause })
    this.status = status
    this.statusCode = status
    this.code = code
    this.description = description
    this.headers = headers
  }
}

/** An authorize failure before client and redirect URI are proven: it must be rendered. Status 400. */
export class UnredirectableError extends OAuthError {
  override readonly name = 'UnredirectableError'

  constructor(code: string, description?: string) {
    super(400, code, description)
  }
}

/** An authorize failure that can be sent to the client by redirect. Status 400. */
export class RedirectableAuthError extends OAuthError {
  override readonly name = 'RedirectableAuthError'
  readonly redirectUri: string
  readonly state: string | undefined

  constructor(code: string, description: string | undefined, redirectUri: string, state?: string) {
    super(400, code, description)
    this.redirectUri = redirectUri
    this.state = state
  }
}

type Row = readonly [status: number, code: string, description?: string]

/** Every error that this server raises for a client or a person. Codes are those of the standards. */
export const oauthErrorTable = {
  ...refusalTable,
  dpopKeyMissing: [400, 'invalid_dpop_proof', 'This client must prove a key.'],
  assertionMissing: [400, 'invalid_request', 'assertion is missing.'],
  assertionRefused: [400, 'invalid_grant'],
  badOrigin: [403, 'bad_origin', 'The request came from a page of another origin.'],
  bodyUnreadable: [400, 'invalid_request', 'The body cannot be read.'],
  bodyNotForm: [400, 'invalid_request', 'The body must be application/x-www-form-urlencoded.'],
  clientIdMismatch: [400, 'invalid_request', 'client_id is not the client that authenticates.'],
  clientRefused: [401, 'invalid_client', 'Client authentication failed.'],
  clientPublic: [401, 'invalid_client', 'Introspection is for confidential clients.'],
  codeMissing: [400, 'invalid_request', 'code is missing.'],
  codeRefused: [400, 'invalid_grant', 'The code cannot be used.'],
  consentContextForbidden: [403, 'access_denied', 'You may not grant access for this context.'],
  consentDecided: [400, 'invalid_request', 'This request was decided before.'],
  consentGone: [404, 'invalid_request', 'This request is unknown, expired or decided.'],
  consentInvalid: [400, 'invalid_request'],
  consentOtherBrowser: [403, 'access_denied', 'This request was made in another browser.'],
  consentOtherPerson: [403, 'access_denied', 'Another person made this request.'],
  deviceCodeMissing: [400, 'invalid_request', 'device_code is missing.'],
  deviceCodeRefused: [400, 'invalid_grant', 'The device code cannot be used.'],
  deviceOff: [404, 'not_found', 'The device flow is off.'],
  dpopKeyMismatch: [400, 'invalid_dpop_proof', 'dpop_jkt is not the key of the proof.'],
  grantEnded: [400, 'invalid_grant', 'The grant has ended.'],
  grantEnding: [409, 'server_error', 'The grant is being revoked.'],
  grantTypeMissing: [400, 'invalid_request', 'grant_type is missing.'],
  grantTypeForbidden: [
    400,
    'unauthorized_client',
    'grant_type is not among the grantTypes of this client.'
  ],
  ownerGone: [400, 'invalid_grant', 'The host does not know the owner of this service account.'],
  scopeOfPeople: [400, 'invalid_scope'],
  grantTypeUnsupported: [400, 'unsupported_grant_type', 'That grant_type is not supported.'],
  grantUnknown: [404, 'not_found', 'You have no such grant.'],
  initialTokenMissing: [401, 'invalid_token', 'An initial access token is required.'],
  internal: [500, 'server_error'],
  invalidParameter: [400, 'invalid_request'],
  loginRequired: [401, 'login_required', 'Sign in first.'],
  logoNotFound: [404, 'not_found', 'This client has no logo that can be shown.'],
  metadataInvalid: [400, 'invalid_client_metadata', 'The body must be a JSON object.'],
  metadataNotFound: [404, 'not_found', 'There is no metadata at this address.'],
  notReady: [503, 'server_error', 'The server is starting.'],
  parameterGarbled: [400, 'invalid_request', 'A parameter is not encoded as UTF-8.'],
  parameterRepeated: [400, 'invalid_request', 'A parameter is given twice.'],
  pushedUriGiven: [400, 'invalid_request', 'request_uri cannot be pushed.'],
  redirectUriInvalid: [400, 'invalid_redirect_uri'],
  refreshRefused: [400, 'invalid_grant', 'The refresh token cannot be used.'],
  refreshTokenMissing: [400, 'invalid_request', 'refresh_token is missing.'],
  registrationLimit: [429, 'too_many_requests', 'Too many registrations. Try again later.'],
  registrationTokenInvalid: [401, 'invalid_token', 'The registration access token is not valid.'],
  registrationBlocked: [403, 'access_denied', 'An administrator disabled this client.'],
  registrationIdMismatch: [
    400,
    'invalid_client_metadata',
    'client_id must be that of this registration.'
  ],
  registrationOff: [404, 'not_found', 'Registration is off.'],
  tenantForbids: [403, 'access_denied'],
  tenantRefusesGrant: [400, 'invalid_grant'],
  tokenMissing: [400, 'invalid_request', 'token is missing.'],
  tooLarge: [400, 'invalid_request', 'The request is too large.'],
  tooManyRequests: [429, 'too_many_requests', 'Too many requests. Try again later.'],
  twoAuthentications: [400, 'invalid_request', 'The client authenticates in more than one way.']
} as const satisfies Readonly<Record<string, Row>>

export type OAuthErrorName = keyof typeof oauthErrorTable

/** An error of the table; `description` where the table leaves it open. */
export function oauthError(
  name: OAuthErrorName,
  {
    description,
    ...options
  }: OAuthErrorOptions & { readonly description?: string | undefined } = {}
): OAuthError {
  const [status, code, usual]: Row = oauthErrorTable[name]
  return new OAuthError(status, code, description ?? usual, options)
}

/** The refusal of a protected resource, as an error of this server. */
export const refusalError = ({ status, error, description, headers }: Refusal): OAuthError =>
  new OAuthError(status, error, description, { headers })
