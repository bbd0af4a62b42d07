// The host that the shell gives to pages: calls to the plugin's mount, permissions, texts, sign-in.
import { test } from 'tap'
import { createShellHost } from './host.ts'
import type { Nav, NavPage } from './nav.ts'

type Answer = (url: string, init: RequestInit) => Promise<Response>

const PAGE: NavPage = {
  id: 'flows',
  plugin: 'mail',
  title: 'Flows',
  path: '/mail/flows',
  element: 'mail-flows',
  module: '/m/flows.js',
  role: 'viewer',
  mount: '/mail'
}

/** A host whose calls are answered by hand. */
function openHost(
  t: { teardown(fn: () => void): void },
  more: {
    readonly page?: Partial<NavPage>
    readonly nav?: Partial<Nav>
    readonly status?: number
  } = {}
) {
  const real = globalThis.fetch
  t.teardown(() => {
    globalThis.fetch = real
  })
  const calls: { readonly url: string; readonly init: RequestInit }[] = []
  const answer: Answer = async (url, init) => {
    calls.push({ url, init })
    return new Response('{}', { status: more.status ?? 200 })
  }
  globalThis.fetch = answer as typeof fetch
  const gone = new AbortController()
  const heard: string[] = []
  const nav: Nav = { title: 'T', sections: [], hidden: [], viewer: null, settings: {}, ...more.nav }
  const host = createShellHost({
    page: { ...PAGE, ...more.page },
    nav,
    language: 'en',
    timeZone: 'UTC',
    signal: gone.signal,
    navigate: (href, isReplacing) => void heard.push(`${href} ${isReplacing}`),
    onSignedOut: () => void heard.push('signed out'),
    signIn: () => '/login?next=%2F'
  })
  return { host, calls, heard, gone }
}

test('paths are relative to the mount of the plugin, with the session', async (t) => {
  const { host, calls } = openHost(t)
  await host.fetch('/api/flows?limit=1')
  await host.fetch('api/flows', { method: 'POST' })
  t.same(
    calls.map(({ url }) => url),
    ['/mail/api/flows?limit=1', '/mail/api/flows']
  )
  t.match(calls[1]?.init, { credentials: 'same-origin', method: 'POST' })
  const root = openHost(t, { page: { mount: '/' } })
  await root.host.fetch('/api/x')
  t.equal(root.calls[0]?.url, '/api/x')
})

test('a call ends with the page, or earlier by its own signal', async (t) => {
  const { host, calls, gone } = openHost(t)
  const own = new AbortController()
  await host.fetch('/a', { signal: own.signal })
  await host.fetch('/b')
  own.abort()
  t.same(
    calls.map(({ init }) => init.signal?.aborted),
    [true, false]
  )
  gone.abort()
  t.equal(calls[1]?.init.signal?.aborted, true)
})

test('an answer of 401 is reported to the shell, which names the way to sign in', async (t) => {
  const { host, heard } = openHost(t, { status: 401 })
  t.equal((await host.fetch('/a')).status, 401)
  t.same(heard, ['signed out'])
  t.equal(host.signIn, '/login?next=%2F')
})

test('a viewer may call what the navigation lists, by the name of the own or another plugin', async (t) => {
  const { host } = openHost(t, { nav: { routes: ['mail:POST /api/flows', 'crm:GET /api/people'] } })
  t.equal(host.can('POST /api/flows'), true)
  t.equal(host.can('crm:GET /api/people'), true)
  t.equal(host.can('GET /api/people'), false)
})

test('an address that a manifest declares does not depend on the mount', async (t) => {
  globalThis.location ??= new URL('https://admin.test/telemetry') as unknown as Location
  const address = '/admin/mail/api/flows?limit=1'
  for (const [page, nav, expected] of [
    [{}, {}, `https://admin.test${address}`],
    [{ mount: '/tools/of/mail' }, {}, `https://admin.test${address}`],
    [{ mount: '/platform/mail' }, { prefix: '/platform' }, `https://admin.test/platform${address}`],
    [{ api: 'https://api.test/mail' }, {}, `https://api.test${address}`]
  ] as const) {
    const { host, calls } = openHost(t, { page, nav })
    t.equal(host.at(address).href, expected)
    await host.fetch(host.at(address))
    t.equal(calls[0]?.url, expected)
  }
})

test('an operation is named by its id alone, from the page of any plugin', async (t) => {
  const { host } = openHost(t, { nav: { routes: ['crm.people.list', 'mail.flows.save-draft'] } })
  t.equal(host.can('crm.people.list'), true)
  t.equal(host.can('mail.flows.save-draft'), true)
  t.equal(host.can('mail.flows.publish'), false)
})

test('where the navigation lists no routes the server alone decides', async (t) => {
  t.equal(openHost(t).host.can('POST /api/flows'), true)
})

test('it goes to addresses, and speaks the language of the shell', async (t) => {
  const { host, heard } = openHost(t)
  host.navigate('/a')
  host.navigate('/b', { replace: true })
  t.same(heard, ['/a false', '/b true'])
  t.equal(host.t('ui.close'), 'Close')
  t.equal(host.format.number(1234), '1,234')
})
