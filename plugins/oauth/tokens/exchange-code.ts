// grant_type=authorization_code: a code becomes tokens once; a replay ends the tokens of the first use.
import { createHash } from 'node:crypto'
import type { Origin } from '../audit/journal.ts'
import { narrow } from '../authorize/scopes.ts'
import { familyOf, hashOf, isHandle, isSame, newHandle, newRowId } from '../crypto/handles.ts'
import { familyOfNew } from '../grants/take-back.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthCode, StoredFamily } from '../storage/rows.ts'
import {
  type Minting,
  makeAccessToken,
  makeIdToken,
  type TokenResponse,
  tokenResponse,
  tokenRow
} from './mint.ts'
import type { TokenRequest } from './token-request.ts'

/** RFC 7636: 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export async function exchangeCode(
  request: TokenRequest,
  services: Services
): Promise<TokenResponse> {
  const { client, form, jkt, origin } = request
  const value = form.get('code')
  if (value === undefined) throw oauthError('codeMissing')
  const code = await consume(value, client, origin, services)
  const refusal = codeProblem(code, request, services.settings.now())
  if (refusal !== undefined) {
    services.attempts.note(code.attemptId, 'token', 'refused', refusal)
    throw oauthError('codeRefused')
  }
  const target = narrow(
    code,
    { client, resources: request.resources, scope: form.get('scope') },
    services.settings
  )
  if (!target.ok) {
    services.attempts.note(code.attemptId, 'token', 'refused', target.description)
    throw new OAuthError(400, target.error, target.description)
  }
  const minting: Minting = {
    ...ownerOf(code, services),
    client,
    scopes: target.scopes,
    audience: target.resources,
    nonce: code.nonce,
    jkt
  }
  const response = await mintFirst(minting, code, services)
  await record(minting, code, origin, services)
  return response
}

function ownerOf(code: OAuthCode, { settings }: Services) {
  const { userId, grantId, contextId, authTime } = code
  const familyExpiresAt = new Date(code.createdAt.getTime() + settings.ttl.refreshAbsolute * 1000)
  const familyId = familyOf(code.codeHash)
  return { userId, grantId, contextId, authTime, familyId, familyExpiresAt }
}

/** Marks the code as used; only one of any number of callers succeeds. */
async function consume(
  value: string,
  client: OAuthClient,
  origin: Origin,
  services: Services
): Promise<OAuthCode> {
  if (!isHandle(value)) throw oauthError('codeRefused')
  const { collections, settings } = services
  const codeHash = hashOf(value)
  const code = await collections.codes.findOneAndUpdate(
    { codeHash, consumedAt: null },
    { $set: { consumedAt: settings.now() } },
    { returnDocument: 'before' }
  )
  if (code !== null) return code
  await endReplayed(codeHash, client, origin, services)
  throw oauthError('codeRefused')
}

/** The id of the family is derived from the code, so the code's own row may be gone. */
async function endReplayed(
  codeHash: string,
  client: OAuthClient,
  origin: Origin,
  services: Services
): Promise<void> {
  const { collections, revocations, attempts } = services
  const family = await collections.families.findOne({ _id: familyOf(codeHash) })
  if (family === null) return
  const code = await collections.codes.findOne({ codeHash })
  const isReplay = await wasRedeemed(code, family, services)
  const { tokensRevoked } = await revocations.ofFamily(family._id, 'a code was used twice')
  const detail = isReplay ? 'The code was used again: its tokens were ended.' : EXPIRED
  attempts.note(code?.attemptId, 'token', 'refused', detail)
  if (isReplay)
    await alarm(family, { tokensRevoked, presentedBy: client.clientId }, origin, services)
}

const EXPIRED = 'The code had expired.'

/** A code that was only presented late was never redeemed: that is not a replay. */
async function wasRedeemed(
  code: OAuthCode | null,
  { _id: familyId }: StoredFamily,
  { collections }: Services
): Promise<boolean> {
  if (code !== null) return code.consumedAt !== null && code.consumedAt < code.expiresAt
  return (await collections.tokens.findOne({ familyId }, { projection: { _id: 1 } })) !== null
}

async function alarm(
  { userId, grantId, clientId }: StoredFamily,
  meta: { readonly tokensRevoked: number; readonly presentedBy: string },
  origin: Origin,
  { journal, settings }: Services
): Promise<void> {
  const about = { clientId, userId, grantId, meta }
  const { tokensRevoked } = meta
  settings.logger.warn({ clientId, grantId, tokensRevoked }, 'an authorization code was used twice')
  await journal.audit('code_replay', { actor: 'client', ...about, ...origin })
  journal.track({ type: 'oauth.code_replay_detected', ...about })
}

/** Why a consumed code is refused: a sentence for the diagnostics, never for the caller. */
export function codeProblem(
  code: OAuthCode,
  { client, form, jkt }: Pick<TokenRequest, 'client' | 'form' | 'jkt'>,
  now: Date
): string | undefined {
  if (code.expiresAt <= now) return EXPIRED
  if (code.clientId !== client.clientId) return 'Another client presented the code.'
  if (form.get('redirect_uri') !== code.redirectUri) return 'redirect_uri was not the same again.'
  if (code.dpopJkt !== undefined && code.dpopJkt !== jkt) return 'The DPoP key was another one.'
  const verifier = form.get('code_verifier')
  if (verifier === undefined || !VERIFIER.test(verifier))
    return 'code_verifier was missing or malformed.'
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return isSame(challenge, code.codeChallenge) ? undefined : 'code_verifier did not fit.'
}

async function mintFirst(
  minting: Minting,
  code: OAuthCode,
  services: Services
): Promise<TokenResponse> {
  const { settings, collections } = services
  const accessToken = await makeAccessToken(minting, services)
  const idToken = await makeIdToken(minting, accessToken.value, services)
  const refreshToken = newHandle()
  const now = settings.now()
  const expiresAt = new Date(
    Math.min(now.getTime() + settings.ttl.refreshToken * 1000, minting.familyExpiresAt.getTime())
  )
  // A client with a secret may change its key; for other clients the key is the only proof.
  const isBound = minting.client.type === 'public' || minting.client.rotateRefreshTokens === false
  const jkt = isBound ? minting.jkt : undefined
  const refresh = tokenRow(
    { ...minting, scopes: code.scopes, audience: code.resources, jkt },
    { kind: 'refresh', tokenId: newRowId(), value: refreshToken, now, expiresAt }
  )
  await collections.tokens.insertMany([accessToken.row, refresh])
  return tokenResponse(minting, { accessToken, refreshToken, idToken })
}

async function record(
  { client, userId, grantId, contextId, familyId, scopes }: Minting,
  code: OAuthCode,
  origin: Origin,
  services: Services
): Promise<void> {
  const { journal, attempts } = services
  const { clientId } = client
  const meta = { scopes, ...(code.attemptId !== undefined && { attemptId: code.attemptId }) }
  const about = { actor: 'client', clientId, userId, grantId, meta, ...origin } as const
  await familyOfNew(familyId, await journal.audit('token_issued', about), services)
  attempts.note(code.attemptId, 'token', 'passed', 'The code was exchanged for tokens.')
  const context = contextId === null ? {} : { contextId }
  journal.track({ type: 'oauth.token_issued', clientId, userId, grantId, scopes, ...context })
}
