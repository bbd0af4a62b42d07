// What comes next for a request that is right: sign in, consent, a code at once, or a refusal. Pure.
import type { OAuthUser } from '../config/host-code.ts'
import type { OAuthGrant } from '../storage/rows.ts'
import type { AuthorizationRequest } from './read-request.ts'

export interface Looking {
  /** Null when nobody is signed in. */
  readonly user: OAuthUser | null
  readonly now: Date
  /** When this browser was sent to sign in for this request, and came back. */
  readonly sentToLoginAt: Date | undefined
  /** The subject in the id_token_hint and that of who is signed in. */
  readonly hint: 'none' | 'match' | 'mismatch' | 'unreadable'
  /** Live grants of this person to this client in contexts they still may use. Only for `prompt=none`. */
  readonly grants: readonly OAuthGrant[]
}

export type Decision =
  | { readonly kind: 'refuse'; readonly error: string; readonly description: string }
  | { readonly kind: 'login'; readonly description: string }
  | { readonly kind: 'consent'; readonly user: OAuthUser }
  | { readonly kind: 'code'; readonly user: OAuthUser; readonly grant: OAuthGrant }

const refuse = (error: string, description: string): Decision => ({
  kind: 'refuse',
  error,
  description
})

export const NOT_GRANTED = refuse('consent_required', 'What is asked for was not granted before.')

export function decide(request: AuthorizationRequest, looking: Looking): Decision {
  const isSilent = request.prompts.includes('none')
  if (looking.hint === 'unreadable') {
    return refuse('invalid_request', 'id_token_hint was not issued here.')
  }
  if (looking.hint === 'mismatch' && looking.sentToLoginAt !== undefined) {
    return refuse('login_required', 'Another person signed in than was expected.')
  }
  const why = loginReason(request, looking)
  if (why !== undefined || looking.user === null) {
    const description = why ?? 'Nobody is signed in.'
    return isSilent ? refuse('login_required', description) : { kind: 'login', description }
  }
  if (!isSilent) return { kind: 'consent', user: looking.user }
  const covering = looking.grants.filter((grant) => covers(grant, request))
  const [only] = covering
  if (only === undefined) {
    return NOT_GRANTED
  }
  if (covering.length > 1) {
    return refuse(
      'interaction_required',
      'It was granted in several contexts: someone must choose.'
    )
  }
  return { kind: 'code', user: looking.user, grant: only }
}

/** Why the person must sign in (again); undefined when that is not needed. */
function loginReason(request: AuthorizationRequest, looking: Looking): string | undefined {
  const { user, now, sentToLoginAt } = looking
  if (user === null) return 'Nobody is signed in.'
  const signedInAt = user.authTime
  // A host that does not say when people signed in is taken at its word after one round trip.
  const isBack =
    sentToLoginAt !== undefined && (signedInAt === undefined || signedInAt >= sentToLoginAt)
  const asksAgain = request.prompts.includes('login') || request.prompts.includes('select_account')
  if (asksAgain && !isBack) return 'The client wants a fresh sign-in.'
  if (looking.hint === 'mismatch') return 'Another person is signed in than was expected.'
  if (request.maxAge === undefined || isBack) return undefined
  const age =
    signedInAt === undefined ? Number.POSITIVE_INFINITY : now.getTime() - signedInAt.getTime()
  return age > request.maxAge * 1000
    ? 'The last sign-in is too long ago for the client.'
    : undefined
}

/** Whether a grant holds everything that a request reaches for. */
export function covers(
  grant: Pick<OAuthGrant, 'scopes' | 'resources'>,
  wanted: Pick<AuthorizationRequest, 'scopes' | 'resources'>
): boolean {
  return (
    wanted.scopes.every((scope) => grant.scopes.includes(scope)) &&
    wanted.resources.every((resource) => grant.resources.includes(resource))
  )
}
