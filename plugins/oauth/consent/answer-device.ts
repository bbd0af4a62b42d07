// The decision about a device: its answer waits there until it asks the next time.

import { say } from '../attempts/sentences.ts'
import { decideDevice } from '../devices/devices.ts'
import { recordGrant } from '../grants/issue-code.ts'
import { takeBackGrant } from '../grants/take-back.ts'
import type { Services } from '../services.ts'
import type { Approval } from './approval.ts'

type Parts = Pick<
  Services,
  'settings' | 'collections' | 'journal' | 'attempts' | 'secret' | 'revocations'
>

/** Resolves with false when the device no longer waits, or access ended meanwhile. */
export async function approveDevice(
  deviceId: string,
  { decision, row, since, origin }: Approval,
  { isStillAllowed, ...parts }: Parts & { isStillAllowed(): Promise<boolean> }
): Promise<boolean> {
  const { scopes, contextId, offline } = decision
  const { clientId, userId, authTime, attemptId, resources } = row
  const wanted = { clientId, userId, contextId, scopes, resources, offline }
  const grant = await recordGrant(wanted, parts)
  const about = { clientId, userId, grantId: grant._id }
  const meta = { scopes, offline, device: true }
  const entry = { actor: 'user', ...about, meta, ...origin } as const
  const auditId = await parts.journal.audit('consent_granted', entry)
  const approved = {
    status: 'approved' as const,
    userId,
    grantId: grant._id,
    contextId,
    offline,
    scopes,
    ...(authTime !== undefined && { authTime })
  }
  if (!(await isStillAllowed()) || !(await decideDevice(deviceId, approved, parts))) {
    await takeBackGrant(grant, { since, auditId }, parts)
    return false
  }
  const detail = say('attempt.approvedDevice', { scopes: scopes.join(' ') })
  parts.attempts.note(attemptId, 'consent', 'passed', detail)
  await parts.journal.track({ type: 'oauth.consent_granted', ...about, scopes })
  return true
}
