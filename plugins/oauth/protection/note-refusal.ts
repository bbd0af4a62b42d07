// Refused access tokens in the diagnostics: who was refused where, and why. A client that asks again and again is noted once.
import { addressKey, createBoundedMap } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { OAuthToken } from '../storage/rows.ts'

/** The same refusal is noted again after this long. */
const QUIET_MS = 10 * 60_000
const MAX_KEPT = 1000

/** `token`: undefined for one that no client has, or no longer. */
export type NoteRefusal = (
  request: FastifyRequest,
  sentence: string,
  token?: Pick<OAuthToken, 'clientId' | 'userId'>
) => void

/** Of one resource. */
export function createRefusalNotes(
  resourceId: string,
  { settings, attempts }: Pick<Services, 'settings' | 'attempts'>
): NoteRefusal {
  const noted = createBoundedMap<string, number>(MAX_KEPT)
  return ({ ip }, sentence, token) => {
    const address = addressKey(ip)
    const key = `${token?.clientId ?? address} ${sentence}`
    const now = settings.now().getTime()
    if (now < (noted.get(key) ?? 0)) return
    noted.set(key, now + QUIET_MS)
    const attemptId = attempts.begin(token?.clientId ?? null, { ip: address })
    if (token?.userId !== undefined) attempts.person(attemptId, token.userId)
    attempts.note(attemptId, 'resource', 'refused', `${sentence} It was sent to ${resourceId}.`)
  }
}
