// Keeps a request that needs consent, and gives the address of the consent page for it.

import { say } from '../attempts/sentences.ts'
import type { OAuthUser } from '../config/host-code.ts'
import { userIdOf } from '../config/person-id.ts'
import { hashOf, newHandle, newRowId } from '../crypto/handles.ts'
import type { Services } from '../services.ts'
import { challengeFields, type OAuthClient } from '../storage/rows.ts'
import type { AuthorizationRequest } from './read-request.ts'

interface ConsentCase {
  readonly client: OAuthClient
  readonly request: AuthorizationRequest
  readonly user: OAuthUser
  /** Hash of the cookie of this browser: consent is given there and nowhere else. */
  readonly browser: string
  readonly attemptId: string
  /** The device that waits for the answer. */
  readonly deviceId?: string
  /** The request is approved at once: no page is shown. */
  readonly isTrusted: boolean
}

type Parts = Pick<Services, 'settings' | 'collections' | 'attempts' | 'journal'>

/** Resolves with the handle of the request and the address of its consent page. */
export async function openConsent(
  asked: ConsentCase,
  parts: Parts
): Promise<{ readonly requestId: string; readonly address: string }> {
  const { client, request, user, browser, attemptId, isTrusted } = asked
  const { settings, collections, attempts, journal } = parts
  const requestId = newHandle()
  const now = settings.now()
  const userId = userIdOf(user)
  const { clientId } = client
  const { scopes, resources, state, nonce, dpopJkt, maxAge, uiLocales } = request
  await collections.requests.insertOne({
    _id: newRowId(),
    requestId: hashOf(requestId),
    clientId,
    userId,
    browser,
    ...(asked.deviceId !== undefined && { deviceId: asked.deviceId }),
    redirectUri: request.redirectUri,
    scopes,
    resources,
    ...challengeFields(request.codeChallenge),
    responseMode: request.mode,
    ...(state !== undefined && { state }),
    ...(nonce !== undefined && { nonce }),
    ...(dpopJkt !== undefined && { dpopJkt }),
    ...(request.prompts.length > 0 && { prompt: request.prompts.join(' ') }),
    ...(maxAge !== undefined && { maxAge }),
    ...(uiLocales !== undefined && { uiLocales }),
    ...(user.authTime !== undefined && { authTime: user.authTime }),
    attemptId,
    decidedAt: null,
    expiresAt: new Date(now.getTime() + settings.ttl.authorizationRequest * 1000),
    createdAt: now
  })
  if (!isTrusted) attempts.note(attemptId, 'consent', 'waiting', say('attempt.consentShown'))
  const meta = { resources }
  await journal.track({ type: 'oauth.authorization_requested', userId, clientId, scopes, meta })
  const address = consentAddress(settings.consentUrl, { requestId, uiLocales })
  return { requestId, address }
}

/** With the languages in it, so that the page has its words before it has read the request. */
function consentAddress(
  consentUrl: string,
  { requestId, uiLocales }: { readonly requestId: string; readonly uiLocales: string | undefined }
): string {
  const [address = '', fragment] = consentUrl.split('#', 2)
  const language = uiLocales === undefined ? {} : { ui_locales: uiLocales }
  const query = new URLSearchParams({ request_id: requestId, ...language })
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
