// Which page an address belongs to, and where sign-in may lead.
import { test } from 'tap'
import { fullRouteId } from './host.ts'
import { isSamePage, type Nav, type NavPage, pageAt, pagesOf } from './nav.ts'
import { nextAddress } from './next-address.ts'

const page = (id: string, more: Partial<NavPage> = {}): NavPage => ({
  id,
  plugin: 'mail',
  title: id,
  path: `/mail/${id}`,
  element: `mail-${id}`,
  module: `/m/${id}.js`,
  role: 'viewer',
  mount: '/mail',
  ...more
})
const nav: Nav = {
  title: 'T',
  sections: [
    { id: 's', title: 'S', pages: [page('flows'), page('flows-old', { path: '/mail/flows/old' })] }
  ],
  hidden: [page('public', { path: '/public', mount: '/' })],
  viewer: null,
  routes: [],
  settings: {}
}

test('an address is its page, with what comes below it', async (t) => {
  t.match(pageAt(nav, '/mail/flows/'), { page: { id: 'flows' }, sub: '' })
  t.match(pageAt(nav, '/mail/flows/welcome/2'), { page: { id: 'flows' }, sub: '/welcome/2' })
  t.match(pageAt(nav, '/mail/flows/old/x'), { page: { id: 'flows-old' }, sub: '/x' })
  t.match(pageAt(nav, '/public'), { page: { id: 'public' } })
})

test('the start and the mount are the first page', async (t) => {
  t.match(pageAt(nav, '/'), { page: { id: 'flows' } })
  t.match(pageAt(nav, '/mail/'), { page: { id: 'flows' } })
})

test('an unknown address has no page', async (t) => {
  t.equal(pageAt(nav, '/mail/none'), undefined)
  t.equal(pageAt(nav, '/mail/flowsx'), undefined)
  t.equal(pageAt({ ...nav, sections: [] }, '/'), undefined)
  t.equal(pagesOf(nav).length, 3)
})

test('a page of the mount itself has nothing below it', async (t) => {
  const own = {
    ...nav,
    sections: [{ id: 's', title: 'S', pages: [page('home', { path: '/mail' })] }]
  }
  t.match(pageAt(own, '/mail'), { page: { id: 'home' } })
  t.equal(pageAt(own, '/mail/none'), undefined)
})

test('a page with another module is another page', async (t) => {
  t.equal(isSamePage(page('a'), page('a')), true)
  t.equal(isSamePage(page('a'), page('a', { module: '/m/new.js' })), false)
  t.equal(isSamePage(undefined, page('a')), false)
})

test('signing in leads only to a path of this host', async (t) => {
  const next = (value: string) => nextAddress(`?next=${encodeURIComponent(value)}`)
  t.equal(next('/telemetry/events?range=7d#x'), '/telemetry/events?range=7d#x')
  for (const foreign of [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    '',
    '/\t/evil.test',
    '/..//evil.test/phish'
  ]) {
    t.equal(new URL(next(foreign), 'https://acme.test').origin, 'https://acme.test', foreign)
  }
  t.equal(nextAddress('', '/start'), '/start')
})

test('a route without a plugin is the page’s own', async (t) => {
  t.equal(fullRouteId('mail', 'POST /api/flows'), 'mail:POST /api/flows')
  t.equal(fullRouteId('mail', 'telemetry:GET /api/x'), 'telemetry:GET /api/x')
})
