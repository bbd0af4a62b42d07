// grant_type=device_code: an approved device gets the tokens of an ordinary code, which never leaves the server.
import { deviceCallback, pollDevice } from '../devices/devices.ts'
import { mintCode } from '../grants/issue-code.ts'
import { OAuthError, oauthError } from '../oauth-errors.ts'
import type { Services } from '../services.ts'
import { exchangeCode } from './exchange-code.ts'
import type { TokenResponse } from './mint.ts'
import type { TokenRequest } from './token-request.ts'

const SENTENCES = {
  authorization_pending: 'The person has not decided yet.',
  slow_down: 'Wait five seconds longer between two polls.',
  access_denied: 'The person denied access.',
  expired_token: 'The device code has expired.'
} as const

export async function exchangeDevice(
  request: TokenRequest,
  services: Services
): Promise<TokenResponse> {
  const { client, form } = request
  const deviceCode = form.get('device_code')
  if (deviceCode === undefined) throw oauthError('deviceCodeMissing')
  const poll = await pollDevice(deviceCode, client, services)
  if (poll.kind === 'unknown') throw oauthError('deviceCodeRefused')
  if (poll.kind === 'refused') throw new OAuthError(400, poll.error, SENTENCES[poll.error])
  const { grantId, userId, ...row } = poll.row
  if (grantId === undefined || userId === undefined) throw oauthError('deviceCodeRefused')
  const redirectUri = deviceCallback(services.settings)
  const { clientId, contextId = null, offline = false, scopes, resources } = row
  const code = await mintCode(
    grantId,
    {
      clientId,
      userId,
      contextId,
      offline,
      scopes,
      resources,
      redirectUri,
      codeChallenge: undefined,
      nonce: undefined,
      authTime: row.authTime,
      dpopJkt: undefined,
      attemptId: row.attemptId
    },
    services
  )
  if (code === undefined) throw oauthError('grantEnded')
  const inside = new Map([...form, ['code', code], ['redirect_uri', redirectUri]])
  inside.delete('code_verifier')
  return exchangeCode({ ...request, form: inside }, services)
}
