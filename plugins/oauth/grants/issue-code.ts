// Records what was granted and mints the code for it.

import { covers } from '../authorize/decide.ts'
import { familyOf, hashOf, newHandle, newRowId } from '../crypto/handles.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import type { OAuthGrant } from '../storage/rows.ts'

export interface Granted {
  readonly clientId: string
  readonly userId: string
  readonly contextId: string | null
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly nonce: string | undefined
  readonly authTime: Date | undefined
  readonly dpopJkt: string | undefined
  readonly attemptId: string | undefined
}

const TRIES = 3

/**
 * Mints a code. The family comes first, then the grant is looked at again: whoever revokes the grant
 * meanwhile finds the family, or is found out by the second look.
 */
export async function issueCode(
  granted: Granted,
  services: Services
): Promise<{ readonly code: string; readonly grant: OAuthGrant }> {
  const { collections, settings } = services
  const { grants, families, codes } = collections
  for (let tries = 0; tries < TRIES; tries++) {
    const grant = await recordGrant(granted, services)
    const code = newHandle()
    const codeHash = hashOf(code)
    const now = settings.now()
    const { clientId, userId, contextId } = granted
    await families.insertOne({
      _id: familyOf(codeHash),
      grantId: grant._id,
      clientId,
      userId,
      contextId,
      revokedAt: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + settings.ttl.refreshAbsolute * 1000)
    })
    const isLive = (await grants.findOne({ _id: grant._id, revokedAt: null })) !== null
    if (!isLive) continue
    await codes.insertOne({
      _id: newRowId(),
      codeHash,
      clientId,
      userId,
      grantId: grant._id,
      contextId,
      scopes: granted.scopes,
      resources: granted.resources,
      redirectUri: granted.redirectUri,
      codeChallenge: granted.codeChallenge,
      codeChallengeMethod: 'S256',
      ...(granted.nonce !== undefined && { nonce: granted.nonce }),
      ...(granted.authTime !== undefined && { authTime: granted.authTime }),
      ...(granted.dpopJkt !== undefined && { dpopJkt: granted.dpopJkt }),
      ...(granted.attemptId !== undefined && { attemptId: granted.attemptId }),
      consumedAt: null,
      expiresAt: new Date(now.getTime() + settings.ttl.code * 1000),
      createdAt: now
    })
    return { code, grant }
  }
  throw new OAuthError(409, 'server_error', 'The grant is being revoked.')
}

/** Adds to the live grant of this person, client and context, or makes one. */
async function recordGrant(
  granted: Granted,
  { collections, settings }: Services
): Promise<OAuthGrant> {
  const { clientId, userId, contextId, scopes, resources } = granted
  const { grants } = collections
  const live = { clientId, userId, contextId, revokedAt: null }
  for (let tries = 0; ; tries++) {
    const known = await grants.findOne(live)
    if (known !== null && covers(known, granted)) return known
    const now = settings.now()
    try {
      const row = await grants.findOneAndUpdate(
        live,
        {
          $addToSet: { scopes: { $each: [...scopes] }, resources: { $each: [...resources] } },
          $inc: { version: 1 },
          $set: { updatedAt: now },
          $setOnInsert: { _id: newRowId(), createdAt: now }
        },
        { upsert: true, returnDocument: 'after' }
      )
      if (row !== null) return row
    } catch (error) {
      // Another process made it in this moment.
      if ((error as { code?: number }).code !== 11000 || tries >= TRIES) throw error
    }
  }
}
