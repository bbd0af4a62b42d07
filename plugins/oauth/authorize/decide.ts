// What comes next for a valid request: sign in, consent, a code at once, or a refusal. Pure.
import type { OAuthUser } from '../config/host-code.ts'
import { covers } from '../grants/covers.ts'
import type { OAuthGrant } from '../storage/rows.ts'
import type { AuthorizationRequest } from './read-request.ts'

/** What a decision depends on beside the request. */
export interface DecisionInput {
  /** Null when signed out. */
  readonly user: OAuthUser | null
  readonly now: Date
  /** When this browser was sent to sign in for this request, once it is back. */
  readonly sentToLoginAt: Date | undefined
  /** Whether the subject of the id_token_hint is the signed-in person. */
  readonly hint: 'none' | 'match' | 'mismatch' | 'unreadable'
  /** Live grants of this person to this client, in contexts they may use. Only where they may be enough. */
  readonly grants: readonly OAuthGrant[]
  /** Undefined for a client that is not trusted, or whose people choose a context. */
  readonly trusted: { readonly sensitive: ReadonlySet<string> } | undefined
}

export type Decision =
  | { readonly kind: 'refuse'; readonly error: string; readonly description: string }
  | { readonly kind: 'login'; readonly description: string }
  | { readonly kind: 'consent'; readonly user: OAuthUser }
  /** The client is trusted with what it asks for. */
  | { readonly kind: 'trust'; readonly user: OAuthUser }
  | { readonly kind: 'code'; readonly user: OAuthUser; readonly grant: OAuthGrant }

const refuse = (error: string, description: string) =>
  ({ kind: 'refuse', error, description }) as const

export const NOT_GRANTED = refuse('consent_required', 'The request was not granted before.')

export function decide(request: AuthorizationRequest, input: DecisionInput): Decision {
  const isSilent = request.prompts.includes('none')
  if (input.hint === 'unreadable') {
    return refuse('invalid_request', 'id_token_hint was not issued here.')
  }
  if (input.hint === 'mismatch' && input.sentToLoginAt !== undefined) {
    return refuse('login_required', 'The person who signed in is not the expected one.')
  }
  const reason = loginReason(request, input)
  if (reason !== undefined || input.user === null) {
    const description = reason ?? SIGNED_OUT
    return isSilent ? refuse('login_required', description) : { kind: 'login', description }
  }
  if (!isSilent) return decideAskable(request, input, input.user)
  const covering = input.grants.filter((grant) => covers(grant, request))
  const [only] = covering
  if (only === undefined) return NOT_GRANTED
  if (covering.length === 1) return { kind: 'code', user: input.user, grant: only }
  return refuse(
    'interaction_required',
    'Access was granted in several contexts: the person must choose one.'
  )
}

/** For a request that may show a page: whether it has to. */
function decideAskable(
  request: AuthorizationRequest,
  { grants, trusted, now }: DecisionInput,
  user: OAuthUser
): Decision {
  const asks = request.prompts.some((one) => one === 'consent' || one === 'select_account')
  if (asks || !isProvenCallback(request.redirectUri)) return { kind: 'consent', user }
  const known = grants.filter((grant) => remembers(grant, request, now))
  const [only] = known
  if (only !== undefined && known.length === 1) return { kind: 'code', user, grant: only }
  if (trusted === undefined) return { kind: 'consent', user }
  const isFine = (scope: string) =>
    !trusted.sensitive.has(scope) || grants.some(({ scopes }) => scopes.includes(scope))
  return { kind: request.scopes.every(isFine) ? 'trust' : 'consent', user }
}

/** Only the owner of a host gets what is sent there; any program may take a loopback port or a scheme. */
const isProvenCallback = (redirectUri: string): boolean => redirectUri.startsWith('https://')

/** Whether the person gave this very consent, or more, not long ago. */
const remembers = (
  { remembered = [] }: Pick<OAuthGrant, 'remembered'>,
  wanted: Pick<AuthorizationRequest, 'scopes' | 'resources'>,
  now: Date
): boolean => remembered.some((consent) => consent.until > now && covers(consent, wanted))

const SIGNED_OUT = 'The person is signed out.'

/** Why the person must sign in (again); undefined when that is not needed. */
function loginReason(request: AuthorizationRequest, input: DecisionInput): string | undefined {
  const { user, now, sentToLoginAt } = input
  if (user === null) return SIGNED_OUT
  const signedInAt = user.authTime
  // Without authTime a host cannot prove a fresh sign-in: one trip to its sign-in page is enough.
  const isBack =
    sentToLoginAt !== undefined && (signedInAt === undefined || signedInAt >= sentToLoginAt)
  const wantsFresh = request.prompts.includes('login') || request.prompts.includes('select_account')
  if (wantsFresh && !isBack) return 'The client wants a fresh sign-in.'
  if (input.hint === 'mismatch') return 'The signed-in person is not the expected one.'
  if (request.maxAge === undefined || isBack) return undefined
  const age =
    signedInAt === undefined ? Number.POSITIVE_INFINITY : now.getTime() - signedInAt.getTime()
  return age > request.maxAge * 1000 ? 'The last sign-in is older than max_age.' : undefined
}
