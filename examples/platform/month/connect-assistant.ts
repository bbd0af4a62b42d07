// An assistant that the administrator connected in the month: a client, a request that was denied, a grant.
import { createHash, randomBytes } from 'node:crypto'
import type { Platform } from './platform.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'
const NAME = 'Desk assistant'

/** Does nothing when it is connected. */
export async function connectAssistant({ url, call }: Platform): Promise<void> {
  const known = await call('GET', `/oauth/admin/clients?search=${encodeURIComponent(NAME)}`)
  if (known.body.items.length > 0) return
  const made = await call('POST', '/oauth/admin/clients', {
    name: NAME,
    redirectUris: [CALLBACK],
    allowedScopes: ['telemetry:read', 'mail:read', 'offline_access'],
    type: 'public',
    tokenEndpointAuthMethod: 'none'
  })
  const { clientId } = made.body.client as { readonly clientId: string }
  await ask(url, call, clientId, false)
  const { code, verifier } = await ask(url, call, clientId, true)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: clientId,
    code_verifier: verifier
  }
  const reply = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form)
  })
  if (!reply.ok) throw new Error(`the token request answered ${reply.status}`)
}

async function ask(url: string, call: Platform['call'], clientId: string, approve: boolean) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'mail:read offline_access',
    resource: `${url}/mcp`,
    state: 'month',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256'
  })
  const { location } = await call('GET', `/oauth/authorize?${query}`)
  const requestId = new URL(location ?? '', url).searchParams.get('request_id')
  const decided = await call('POST', `/oauth/consent/${requestId}`, { approve })
  const back = new URL((decided.body as { readonly redirectTo: string }).redirectTo)
  return { verifier, code: back.searchParams.get('code') ?? '' }
}
