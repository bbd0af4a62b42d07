// grant_type=authorization_code: a code becomes tokens once; a replay ends the tokens of the first use.
import { createHash } from 'node:crypto'
import { isSame } from '@keelson/protect/rules'
import { say } from '../attempts/sentences.ts'
import type { Origin } from '../audit/journal.ts'
import { narrow } from '../authorize/scopes.ts'
import { familyOf, hashOf, isHandle, newHandle, newRowId } from '../crypto/handles.ts'
import { familyOfNew } from '../grants/take-back.ts'
import { endOfUnknown } from '../grants/unknown-person.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthCode, OAuthToken, StoredFamily } from '../storage/rows.ts'
import { withinTenant } from '../tenants/within-tenant.ts'
import { lifetimesOf } from './lifetimes.ts'
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
  const { client, form, origin } = request
  const value = form.get('code')
  if (value === undefined) throw oauthError('codeMissing')
  const code = await consume(value, client, origin, services)
  const made = await makeTokens(code, request, services).catch(async (error: unknown) => {
    if (!(error instanceof OAuthError)) await giveBack(code, services)
    throw error
  })
  await services.collections.tokens.insertMany([...made.rows])
  await record(made.minting, code, origin, services)
  return made.response
}

/**
 * An adapter of the host failed and nothing was written: the client may try again. If the code came twice
 * meanwhile, its family has ended, and new tokens of it are dead.
 */
async function giveBack({ _id }: OAuthCode, { collections }: Services): Promise<void> {
  await collections.codes.updateOne({ _id }, { $set: { consumedAt: null } })
}

interface MadeTokens {
  readonly minting: Minting
  readonly rows: readonly OAuthToken[]
  readonly response: TokenResponse
}

/** The tokens of a code. Writes nothing. @throws what refuses the code */
async function makeTokens(
  code: OAuthCode,
  request: TokenRequest,
  services: Services
): Promise<MadeTokens> {
  const { client, form, resources, jkt, origin } = request
  const { settings, attempts } = services
  const refuse = (reason: string, error = oauthError('codeRefused')): never => {
    attempts.note(code.attemptId, 'token', 'refused', reason)
    throw error
  }
  const problem = codeProblem(code, request, settings.now())
  if (problem !== undefined) return refuse(problem)
  const target = narrow(code, { client, resources, scope: form.get('scope') }, settings)
  if (!target.ok) {
    const { error, description } = target
    return refuse(description, new OAuthError(400, error, description))
  }
  const owner = ownerOf(code, client, services)
  const user = (await settings.loadUser?.(code.userId)) ?? undefined
  if (user === undefined && settings.loadUser !== undefined) {
    await endOfUnknown(owner, origin, services)
    return refuse('The host does not know the person.')
  }
  const asked: Minting = {
    ...owner,
    client,
    scopes: target.scopes,
    audience: target.resources,
    nonce: code.nonce,
    jkt,
    user
  }
  const minting = await withinTenant(asked, services).catch((error: unknown) =>
    error instanceof OAuthError ? refuse(error.message, error) : Promise.reject(error)
  )
  return { minting, ...(await mintFirst(minting, code, services)) }
}

function ownerOf(code: OAuthCode, client: OAuthClient, { settings }: Services) {
  const { clientId, userId, grantId, contextId, authTime } = code
  const familyExpiresAt = new Date(
    code.createdAt.getTime() + lifetimesOf(client, settings).refreshAbsolute * 1000
  )
  const familyId = familyOf(code.codeHash)
  return { clientId, userId, grantId, contextId, authTime, familyId, familyExpiresAt }
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
  const { collections, revocations, attempts, journal, settings } = services
  const family = await collections.families.findOne({ _id: familyOf(codeHash) })
  if (family === null) return
  const code = await collections.codes.findOne({ codeHash })
  const isReplay = await wasRedeemed(code, family, services)
  const why = 'a code was used twice'
  attempts.note(code?.attemptId, 'token', 'refused', isReplay ? say('attempt.usedAgain') : EXPIRED)
  if (!isReplay) {
    await revocations.finish((access) => access.ofFamily(family._id, why))
    return
  }
  const { userId, grantId, clientId } = family
  const meta = { presentedBy: client.clientId }
  const { counts } = await revocations.end(
    {
      event: { type: 'oauth.code_replay_detected', clientId, userId, grantId, meta },
      audit: { type: 'code_replay', actor: 'client', meta, origin }
    },
    (access) => access.ofFamily(family._id, why),
    journal
  )
  const { tokensRevoked } = counts
  settings.logger.warn({ clientId, grantId, tokensRevoked }, 'an authorization code was used twice')
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
  if (code.codeChallenge === undefined) {
    // A verifier that nothing was promised for: the challenge was taken out on the way (OAuth 2.1 §4.1.3).
    return verifier === undefined
      ? undefined
      : 'code_verifier came without a code_challenge before.'
  }
  if (verifier === undefined || !VERIFIER.test(verifier))
    return 'code_verifier was missing or malformed.'
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return isSame(challenge, code.codeChallenge) ? undefined : 'code_verifier did not fit.'
}

async function mintFirst(
  minting: Minting,
  code: OAuthCode,
  services: Services
): Promise<{ readonly rows: readonly OAuthToken[]; readonly response: TokenResponse }> {
  const accessToken = await makeAccessToken(minting, services)
  const idToken = await makeIdToken(minting, accessToken.value, services)
  const refresh = code.offline === false ? undefined : makeRefreshToken(minting, code, services)
  return {
    rows: [accessToken.row, ...(refresh === undefined ? [] : [refresh.row])],
    response: tokenResponse(minting, { accessToken, refreshToken: refresh?.value, idToken })
  }
}

function makeRefreshToken(
  minting: Minting,
  { scopes, resources }: OAuthCode,
  { settings }: Services
): { readonly value: string; readonly row: OAuthToken } {
  const value = newHandle()
  const now = settings.now()
  const expiresAt = new Date(
    Math.min(
      now.getTime() + lifetimesOf(minting.client, settings).refresh * 1000,
      minting.familyExpiresAt.getTime()
    )
  )
  // A client with a secret may change its key; for other clients the key is the only proof.
  const isBound = minting.client.type === 'public' || minting.client.rotateRefreshTokens === false
  const jkt = isBound ? minting.jkt : undefined
  const row = tokenRow(
    { ...minting, scopes, audience: resources, jkt },
    { kind: 'refresh', tokenId: newRowId(), value, now, expiresAt }
  )
  return { value, row }
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
  attempts.note(code.attemptId, 'token', 'passed', say('attempt.exchanged'))
  const context = contextId === null ? {} : { contextId }
  await journal.track({ type: 'oauth.token_issued', clientId, userId, grantId, scopes, ...context })
}
