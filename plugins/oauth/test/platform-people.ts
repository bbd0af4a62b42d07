// People of a platform with tenants: a sign-in plugin that knows them, an administrator's client, and their tokens.
import { definePlugin, type Host, type Viewer } from '@keelson/sdk'
import { authViewer, type ViewerContexts } from '@keelson/sdk/contracts/auth-viewer'
import { type OAuthPeople, oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import { createTestHost, type TestHost } from '@keelson/sdk/testing'
import { type OAuthHappening, oauthEvents } from '../contracts.ts'
import oauthPlugin from '../plugin.ts'
import { challengeOf, formOf, random } from './flow.ts'

export const CONFIG = {
  issuer: 'http://localhost',
  resources: [{ id: '/tools', scopes: ['tools:read'] }],
  scopes: [{ id: 'openid' }, { id: 'tools:read' }],
  adminTenants: ['acme'],
  rateLimits: { token: false, authorize: false, consent: false } as const
}
export const person = (tenantId: string, id: string, role = 'viewer'): Viewer => ({
  tenantId,
  role,
  viewerRef: `user:${id}`
})
export const PLATFORM = person('*', 'p', 'admin')

interface Signing {
  readonly known: Set<string>
  people?: OAuthPeople
  contexts?: ViewerContexts
  /** What `oauth.events/v1` told. */
  readonly events: OAuthHappening[]
}

/** A sign-in plugin that knows people by tenant, and a user of the capability. */
const accounts = (signing: Signing) =>
  definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'accounts',
      name: 'Accounts',
      version: '0.1.0',
      kernel: '^1.0.0',
      description: 'Signs people in, and ends their access.',
      license: 'MIT',
      provides: ['auth.viewer/v1'],
      uses: ['oauth.people/v1', 'oauth.events/v1']
    },
    register(host: Host) {
      host.provide(authViewer, {
        // The test host says who is signed in.
        resolveViewer: () => null,
        loadViewer: (viewerRef, tenantId) =>
          signing.known.has(`${tenantId} ${viewerRef}`)
            ? { tenantId, role: 'viewer', viewerRef, name: `Name of ${viewerRef}` }
            : null,
        ...(signing.contexts !== undefined && { contexts: signing.contexts })
      })
      host.onReady(() => {
        signing.people = host.use(oauthPeople)
        host.use(oauthEvents).subscribe((event) => void signing.events.push(event))
      })
    }
  })

export async function start(
  t: { teardown(fn: () => Promise<void>): void },
  more: object = {},
  contexts?: ViewerContexts
) {
  const signing: Signing = {
    ...(contexts !== undefined && { contexts }),
    events: [],
    known: new Set(['acme user:1', 'globex user:1', 'acme user:2'])
  }
  const host = await createTestHost({
    plugin: oauthPlugin,
    plugins: [accounts(signing)],
    config: { ...CONFIG, ...more }
  })
  t.teardown(() => host.close())
  host.signIn(PLATFORM)
  const made = await host.app.inject({
    method: 'POST',
    url: '/oauth/admin/clients',
    payload: {
      name: 'App',
      type: 'public',
      redirectUris: ['http://127.0.0.1/cb'],
      allowedScopes: ['openid', 'tools:read']
    }
  })
  return { host, signing, clientId: String(made.json().clientId) }
}

export type Started = Awaited<ReturnType<typeof start>>

/** The tokens of a person who signs in and approves. */
export async function tokensOf(
  { host, clientId }: Started,
  viewer: Viewer,
  decision: object = { approve: true }
) {
  host.signIn(viewer)
  const verifier = random()
  const redirect_uri = 'http://127.0.0.1/cb'
  const asked = await host.app.inject({
    url: '/oauth/authorize',
    query: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri,
      scope: 'openid tools:read',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256'
    }
  })
  const requestId = new URL(String(asked.headers.location), CONFIG.issuer).searchParams.get(
    'request_id'
  )
  const decided = await host.app.inject({
    method: 'POST',
    url: `/oauth/consent/${requestId}`,
    headers: { cookie: String(asked.headers['set-cookie']).split(';')[0], origin: CONFIG.issuer },
    payload: decision
  })
  const code = new URL(decided.json().redirectTo).searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', redirect_uri, code, code_verifier: verifier }
  return (await post(host, { ...grant, client_id: clientId })).json()
}

export const post = (host: TestHost, form: Record<string, string>) =>
  host.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: formOf(form)
  })

export async function subjectOf(
  { host }: Started,
  tokens: { access_token: string }
): Promise<unknown> {
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const answer = await host.app.inject({ url: '/oauth/userinfo', headers })
  return answer.statusCode === 200 ? answer.json().sub : answer.statusCode
}

export const refresh = async (
  { host, clientId }: Started,
  { refresh_token }: { refresh_token: string }
) =>
  (await post(host, { grant_type: 'refresh_token', refresh_token, client_id: clientId })).statusCode
