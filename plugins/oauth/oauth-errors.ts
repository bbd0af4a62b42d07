// The errors that go to clients and people: as JSON, by redirect, or on a page.

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

/** An authorize failure that the client may be told by redirect. Status 400. */
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

export const invalidRequest = (description: string): OAuthError =>
  new OAuthError(400, 'invalid_request', description)

export const invalidGrant = (description: string): OAuthError =>
  new OAuthError(400, 'invalid_grant', description)
