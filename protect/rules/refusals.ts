// What a protected resource answers in place of what was asked for, in one table (RFC 6750, RFC 9449). Pure.

/** HTTP status, error code of the standard, and the usual sentence. */
export type RefusalRow = readonly [status: number, error: string, description?: string]

/** Every refusal of a protected resource. */
export const refusalTable = {
  tokenRequired: [401, 'invalid_request', 'An access token is required.'],
  tokenInvalid: [401, 'invalid_token'],
  proofRefused: [401, 'invalid_dpop_proof'],
  nonceNeeded: [401, 'use_dpop_nonce'],
  tokenMalformed: [400, 'invalid_request'],
  insufficientScope: [
    403,
    'insufficient_scope',
    'The access token does not have the required scopes.'
  ],
  verifierUnavailable: [
    503,
    'temporarily_unavailable',
    'Access tokens cannot be verified now. Try again later.'
  ]
} as const satisfies Readonly<Record<string, RefusalRow>>

/** A request that is not let in, ready to be sent. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly description: string | undefined
  /** `www-authenticate`, and `dpop-nonce` where the client must use one. */
  readonly headers: Readonly<Record<string, string>>
}

/** A refusal of the table; `description` where the table leaves it open. */
export function refusalOf(
  name: keyof typeof refusalTable,
  headers: Refusal['headers'],
  description?: string
): Refusal {
  const [status, error, usual]: RefusalRow = refusalTable[name]
  return { status, error, description: description ?? usual, headers }
}

/** The body of a refusal, in the shape of RFC 6749 §5.2. */
export const refusalBody = ({
  error,
  description
}: Pick<Refusal, 'error' | 'description'>): {
  readonly error: string
  readonly error_description?: string
} => ({ error, ...(description !== undefined && { error_description: description }) })
