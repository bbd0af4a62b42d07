// The modules of OpenID's plan for RP-initiated logout.
import { type Test, test } from 'tap'
import { type Actor, type Answer, actor, type Form, formOf, ISSUER, startHost } from './flow.ts'

const BYE = 'https://app.example.test/bye'

/** A host that a person is signed in at, whose session a module ends. */
async function plan(t: Test) {
  const ended: string[] = []
  const running = await startHost(t, { endSession: async () => void ended.push('ended') })
  const client = await running.client({ postLogoutRedirectUris: [BYE] })
  const app = actor(running, client)
  const { id_token: hint } = await app.tokens()
  const logout = (form: Form): Promise<Answer> =>
    running.call('GET', `/oauth/logout?${formOf(form)}`, { headers: app.browser() })
  return {
    app,
    client,
    hint,
    running,
    right: { id_token_hint: hint, post_logout_redirect_uri: BYE, state: 'a state' },
    logout,
    /** How many sessions were ended since it was last asked. */
    ended: () => ended.splice(0).length
  }
}

type Plan = Awaited<ReturnType<typeof plan>> & { readonly app: Actor }
type Module = (t: Test, plan: Plan) => Promise<unknown>

/** A request that is wrong ends nothing and leads nowhere. */
const refusedWith =
  (more: (plan: Plan) => Form): Module =>
  async (t, one) => {
    const answer = await one.logout({ ...one.right, ...more(one) })
    t.same([answer.status, answer.headers['location'], one.ended()], [400, undefined, 0])
  }

/** A request that does not prove who asks is confirmed by the person, and ends nothing yet. */
const askedFor =
  (form: (plan: Plan) => Form): Module =>
  async (t, one) => {
    const { status, text, headers } = await one.logout(form(one))
    t.same([status, headers['location'], one.ended()], [200, undefined, 0])
    t.match(text, '<button>Sign out</button>')
  }

const RP_LOGOUT: Readonly<Record<string, Module>> = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': async (t, { running }) => {
    const { json } = await running.call('GET', '/.well-known/openid-configuration')
    t.equal(json.end_session_endpoint, `${ISSUER}/oauth/logout`)
  },
  'oidcc-rp-initiated-logout': async (t, { logout, right, ended }) => {
    t.equal((await logout(right)).headers['location'], `${BYE}?state=a+state`)
    t.equal(ended(), 1)
  },
  'oidcc-rp-initiated-logout by POST': async (t, { running, app, right, ended }) => {
    const { headers, status } = await running.call('POST', '/oauth/logout', {
      form: right,
      headers: app.browser()
    })
    t.same([status, headers['location'], ended()], [303, `${BYE}?state=a+state`, 1])
  },
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': refusedWith(() => ({
    post_logout_redirect_uri: `${BYE}/other`
  })),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': refusedWith(() => ({
    post_logout_redirect_uri: `${BYE}?foo=bar`
  })),
  'oidcc-rp-initiated-logout-modified-id-token-hint': refusedWith(({ hint }) => ({
    id_token_hint: `${hint.slice(0, -8)}AAAAAAAA`
  })),
  'oidcc-rp-initiated-logout-bad-id-token-hint': refusedWith(() => ({ id_token_hint: 'bad' })),
  'oidcc-rp-initiated-logout-no-id-token-hint': askedFor(({ client, right }) => ({
    ...right,
    id_token_hint: undefined,
    client_id: client.clientId
  })),
  'oidcc-rp-initiated-logout-no-params': askedFor(() => ({})),
  'oidcc-rp-initiated-logout-only-state': askedFor(() => ({ state: 'a state' })),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': async (t, { logout, hint, ended }) => {
    const { status, text, headers } = await logout({ id_token_hint: hint })
    t.same([status, headers['location'], ended()], [200, undefined, 1])
    t.match(text, 'signed out')
  },
  'oidcc-rp-initiated-logout-no-state': async (t, { logout, right, ended }) => {
    t.equal((await logout({ ...right, state: undefined })).headers['location'], BYE)
    t.equal(ended(), 1)
  }
}

test('the modules of RP-initiated logout', async (t) => {
  const one = await plan(t)
  for (const [module, run] of Object.entries(RP_LOGOUT)) {
    await t.test(module, (t) => run(t, one))
  }
})
