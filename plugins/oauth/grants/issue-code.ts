// Records what was granted and mints the code for it.

import { familyOf, hashOf, newHandle, newRowId } from '../crypto/handles.ts'
import { oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { challengeFields, type OAuthGrant } from '../storage/rows.ts'
import { covers } from './covers.ts'

/** What a code stands for. */
export interface GrantedAccess {
  readonly clientId: string
  readonly userId: string
  readonly contextId: string | null
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** Whether the code gives a refresh token. */
  readonly offline: boolean
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  readonly nonce: string | undefined
  readonly authTime: Date | undefined
  readonly dpopJkt: string | undefined
  readonly attemptId: string | undefined
}

const TRIES = 3

/** Records what a person consented to and mints a code for it. */
export async function issueCode(
  granted: GrantedAccess,
  parts: Pick<Services, 'collections' | 'settings'>
): Promise<{ readonly code: string; readonly grant: OAuthGrant }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const grant = await recordGrant(granted, parts)
    const code = await mintCode(grant._id, granted, parts)
    if (code !== undefined) return { code, grant }
  }
  throw oauthError('grantEnding')
}

/**
 * Mints a code of a grant; undefined when the grant ended meanwhile. The family is written first, then the
 * grant is read again: a revocation either finds the family, or is seen by this read.
 */
export async function mintCode(
  grantId: string,
  granted: GrantedAccess,
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<string | undefined> {
  const { grants, families, codes } = collections
  const code = newHandle()
  const codeHash = hashOf(code)
  const familyId = familyOf(codeHash)
  const now = settings.now()
  const { clientId, userId, contextId } = granted
  await families.insertOne({
    _id: familyId,
    grantId,
    clientId,
    userId,
    contextId,
    revokedAt: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + settings.ttl.refreshAbsolute * 1000)
  })
  if ((await grants.findOne({ _id: grantId, revokedAt: null })) === null) {
    await families.deleteOne({ _id: familyId })
    return undefined
  }
  await codes.insertOne({
    _id: newRowId(),
    codeHash,
    clientId,
    userId,
    grantId,
    contextId,
    scopes: granted.scopes,
    resources: granted.resources,
    redirectUri: granted.redirectUri,
    ...challengeFields(granted.codeChallenge),
    ...(granted.nonce !== undefined && { nonce: granted.nonce }),
    ...(granted.authTime !== undefined && { authTime: granted.authTime }),
    ...(granted.dpopJkt !== undefined && { dpopJkt: granted.dpopJkt }),
    ...(granted.attemptId !== undefined && { attemptId: granted.attemptId }),
    ...(!granted.offline && { offline: false }),
    consumedAt: null,
    expiresAt: new Date(now.getTime() + settings.ttl.code * 1000),
    createdAt: now
  })
  return code
}

/** What a grant is about. */
export type GrantedScope = Pick<
  GrantedAccess,
  'clientId' | 'userId' | 'contextId' | 'scopes' | 'resources' | 'offline'
>

/** Adds to the live grant of this person, client and context, or makes one. */
export async function recordGrant(
  granted: GrantedScope,
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<OAuthGrant> {
  const { clientId, userId, contextId, scopes, resources, offline } = granted
  const { grants } = collections
  const live = { clientId, userId, contextId, revokedAt: null }
  for (let tries = 0; ; tries++) {
    const known = await grants.findOne(live)
    const isSame = known !== null && covers(known, granted) && (known.offline ?? true) === offline
    if (isSame && settings.consentMs === 0) return known
    const now = settings.now()
    try {
      const row = await grants.findOneAndUpdate(
        live,
        {
          $addToSet: { scopes: { $each: [...scopes] }, resources: { $each: [...resources] } },
          $inc: { version: 1 },
          $set: { updatedAt: now, offline },
          ...rememberedBy(granted, settings),
          $setOnInsert: { _id: newRowId(), createdAt: now }
        },
        { upsert: true, returnDocument: 'after' }
      )
      if (row !== null) return row
    } catch (error) {
      // Another process inserted it at the same time.
      if ((error as { code?: number }).code !== 11000 || tries >= TRIES) throw error
    }
  }
}

const MAX_REMEMBERED = 20

/** The part of an update that remembers a consent; the oldest are forgotten. */
function rememberedBy(
  { scopes, resources, offline }: GrantedScope,
  { consentMs, now }: Pick<Services['settings'], 'consentMs' | 'now'>
): object {
  if (consentMs === 0) return {}
  const until = new Date(now().getTime() + consentMs)
  const consent = { scopes, resources, offline, until }
  return { $push: { remembered: { $each: [consent], $slice: -MAX_REMEMBERED } } }
}
