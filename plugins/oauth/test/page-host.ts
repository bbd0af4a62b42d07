// The real plugin with its built pages behind a port, and a browser in front of it.
import type { Viewer } from '@keelson/sdk'
import { createTestHost, type TestHost } from '@keelson/sdk/testing'
import { openPage, type TestPage } from '@keelson/ui/testing'
import oauthPlugin from '../plugin.ts'

type Teardown = { teardown(fn: () => Promise<void>): void }

export const ANN: Viewer = {
  tenantId: 'acme',
  role: 'admin',
  viewerRef: 'user:u-ann',
  email: 'ann@acme.test',
  name: 'Ann Arbor'
}
export const BOB: Viewer = {
  tenantId: 'acme',
  role: 'viewer',
  viewerRef: 'user:u-bob',
  name: 'Bob'
}
/** Of the platform itself. */
export const PAT: Viewer = { tenantId: '*', role: 'admin', viewerRef: 'user:u-pat' }
export const GIL: Viewer = { tenantId: 'globex', role: 'admin', viewerRef: 'user:u-gil' }

/** Where the clients of these tests live: a page that the browser makes up. */
export const CALLBACK = 'https://app.example.test/callback'

const CONFIG = {
  issuer: 'http://127.0.0.1:3999',
  resources: [
    { id: '/mcp', label: 'Platform tools' },
    { id: '/telemetry', label: 'Telemetry', scopes: ['telemetry:read'] }
  ],
  scopes: [
    { id: 'openid', label: 'Know who you are' },
    { id: 'email', label: 'See your email address' },
    { id: 'offline_access', label: 'Keep access while you are away' },
    { id: 'telemetry:read', label: 'Read telemetry', description: 'Events, errors and traces.' },
    { id: 'mail:write', label: 'Send mail in your name', sensitive: true }
  ],
  rateLimits: { token: false as const, authorize: false as const, consent: false as const },
  adminTenants: ['acme'],
  clientIdMetadata: { hosts: ['claude.ai'] },
  serviceAccounts: { enabled: true },
  registration: { open: true, approval: 'once' as const }
}

export interface Platform {
  readonly host: TestHost
  readonly url: string
  /** Calls the API as a viewer; throws unless the answer is 2xx. */
  call<T>(viewer: Viewer, method: string, path: string, body?: unknown): Promise<T>
}

/** The host's own sign-in page, which these tests do not open. */
const PLATFORM = { auth: { signIn: '/enter?by=form' } }

/** Starts the plugin on a free port. */
export async function startPlatform(t: Teardown, viewer: Viewer | null = ANN): Promise<Platform> {
  const host = await createTestHost({
    plugin: oauthPlugin,
    config: CONFIG,
    platform: PLATFORM,
    viewer
  })
  t.teardown(() => host.close())
  const url = await host.listen()
  return {
    host,
    url,
    async call(who, method, path, body) {
      const { tenantId, role, viewerRef } = who
      const response = await fetch(`${url}/oauth${path}`, {
        method,
        headers: {
          'x-viewer': `${tenantId}:${role}:${viewerRef}`,
          origin: url,
          ...(body !== undefined && { 'content-type': 'application/json' })
        },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
      return (await response.json()) as never
    }
  }
}

/** One platform for all tests of a file, started by the first that asks; the viewer is signed in at each asking. */
export function sharedPlatform(t: Teardown, viewer: Viewer = ANN): () => Promise<Platform> {
  let started: Promise<Platform> | undefined
  return async () => {
    started ??= startPlatform(t, viewer)
    const platform = await started
    platform.host.signIn(viewer)
    return platform
  }
}

export interface Client {
  readonly clientId: string
  readonly clientSecret?: string
}

/** A client as an administrator makes it. */
export const createClient = (platform: Platform, fields: object = {}): Promise<Client> =>
  platform.call<Client>(ANN, 'POST', '/admin/clients', {
    name: 'Example App',
    redirectUris: [CALLBACK],
    allowedScopes: CONFIG.scopes.map(({ id }) => id),
    ...fields
  })

/** The challenge of RFC 7636, appendix B, and its verifier. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** An authorization request, as a client sends the browser to it. */
export function authorizeAddress(
  { url }: Pick<Platform, 'url'>,
  { clientId }: Client,
  more: Readonly<Record<string, string>> = {}
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'openid telemetry:read mail:write',
    state: 'st',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more
  })
  return `${url}/oauth/authorize?${query}`
}

/** A browser in which the client's callback answers; `arrived` waits for it and gives its parameters. */
export async function openBrowser(
  t: Teardown,
  options: Parameters<typeof openPage>[1] = {}
): Promise<TestPage & { arrived(): Promise<Record<string, string>> }> {
  const opened = await openPage(t, options)
  await answerForClient(t, opened.page)
  const arrived = async () => {
    await opened.page.waitForURL(/app\.example\.test/)
    return Object.fromEntries(new URL(opened.page.url()).searchParams)
  }
  return { ...opened, arrived }
}

/** `page.route` would stop every request of the page, and keep its files out of the browser's cache. */
async function answerForClient(t: Teardown, page: TestPage['page']): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  // Refused, as an answer is, when the page has gone meanwhile.
  t.teardown(() => devtools.detach().catch(() => undefined))
  const answer = {
    responseCode: 200,
    responseHeaders: [{ name: 'content-type', value: 'text/html' }],
    body: Buffer.from('<title>Client</title>').toString('base64')
  }
  devtools.on('Fetch.requestPaused', ({ requestId }) => {
    devtools.send('Fetch.fulfillRequest', { requestId, ...answer }).catch(() => undefined)
  })
  const patterns = [{ urlPattern: 'https://app.example.test/*' }]
  await devtools.send('Fetch.enable', { patterns })
}

/** The signed-in person allows a client access, through the pages, and the client gets its tokens. */
export async function grantAccess(
  platform: Platform,
  { page, arrived }: Awaited<ReturnType<typeof openBrowser>>,
  fields: object = {}
): Promise<Client> {
  const client = await createClient(platform, fields)
  await page.goto(authorizeAddress(platform, client))
  await page.locator('.answer[data-calm]').waitFor()
  await page.getByRole('checkbox', { name: /Send mail/ }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  const { code = '' } = await arrived()
  await exchange(platform, client, code)
  return client
}

/** Sends a code to the token endpoint; the status of the answer. */
export async function exchange(
  { url }: Pick<Platform, 'url'>,
  { clientId, clientSecret = '' }: Client,
  code: string
): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    client_id: clientId,
    client_secret: clientSecret
  })
  return (await fetch(`${url}/oauth/token`, { method: 'POST', body })).status
}
