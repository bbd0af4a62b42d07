// The demo with a person in a browser who signs in and approves, for clients that bring their own code.
import { createHash, randomBytes } from 'node:crypto'

const PASSWORD = 'keelson-demo'

export interface OAuthDemo {
  readonly url: string
  /** Made over HTTP by an administrator. */
  createClient(
    fields: Readonly<Record<string, unknown>>
  ): Promise<{ readonly clientId: string; readonly clientSecret?: string }>
  /**
   * Opens an authorization address as a signed-in person and approves; the address they end at.
   * `offline` false: access is not kept while the person is away.
   */
  approve(authorization: URL | string, decision?: { readonly offline?: boolean }): Promise<URL>
}

/** Signs an administrator and a person in at a demo. */
export async function openOAuthDemo(
  demo: { readonly url: string },
  email = 'viewer@acme.test'
): Promise<OAuthDemo> {
  const admin = await browser(demo.url, 'platform@keelson.test')
  const person = await browser(demo.url, email)
  return {
    url: demo.url,
    async createClient(fields) {
      const response = await admin('/oauth/admin/clients', fields)
      if (response.status !== 201) throw new Error(`no client: ${await response.text()}`)
      return (await response.json()) as { clientId: string; clientSecret?: string }
    },
    async approve(authorization, decision = {}) {
      const asked = await person(String(authorization))
      const location = new URL(asked.headers.get('location') ?? '', demo.url)
      const requestId = location.searchParams.get('request_id')
      if (requestId === null) return location
      const decided = await person(`/oauth/consent/${requestId}`, { approve: true, ...decision })
      return new URL(((await decided.json()) as { redirectTo: string }).redirectTo)
    }
  }
}

/** An access token of the person, as a public client gets one. */
export async function tokenOfPerson(
  demo: OAuthDemo,
  { resource, scopes }: { readonly resource: string; readonly scopes: readonly string[] }
): Promise<string> {
  const redirectUri = 'http://localhost/callback'
  const { clientId } = await demo.createClient({
    name: 'Assistant',
    type: 'public',
    redirectUris: [redirectUri],
    allowedScopes: scopes
  })
  const verifier = randomBytes(32).toString('base64url')
  const asked = {
    client_id: clientId,
    redirect_uri: redirectUri,
    resource,
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256'
  }
  const back = await demo.approve(
    new URL(`/oauth/authorize?${new URLSearchParams(asked)}`, demo.url)
  )
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? `no code: ${back}`,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id: clientId,
    resource
  })
  const answer = await fetch(new URL('/oauth/token', demo.url), { method: 'POST', body })
  if (answer.status !== 200) throw new Error(`no token: ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

type Browser = (path: string, json?: object) => Promise<Response>

/** A browser with a jar, signed in. */
async function browser(url: string, email: string): Promise<Browser> {
  const jar = new Map<string, string>()
  const browse: Browser = async (path, json) => {
    const response = await fetch(new URL(path, url), {
      method: json === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        origin: url,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(json !== undefined && { 'content-type': 'application/json' })
      },
      ...(json !== undefined && { body: JSON.stringify(json) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  const answer = await browse('/login', { email, password: PASSWORD })
  if (answer.status !== 200) throw new Error(`sign-in as ${email}: ${answer.status}`)
  return browse
}
