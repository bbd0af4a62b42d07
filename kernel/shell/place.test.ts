// Which page an address means.
import type { Viewer } from '@keelson/sdk'
import { test } from 'tap'
import type { ShellPage } from './page.ts'
import { isBelow, placeOf as placeIn, trimmed } from './place.ts'

const page = (id: string, more: Partial<ShellPage> = {}): ShellPage => ({
  plugin: 'mail',
  id,
  title: id,
  path: `/mail/${id}`,
  element: `mail-${id}`,
  role: 'viewer',
  embed: true,
  file: `/${id}.js`,
  embedFile: undefined,
  apiBase: '/mail',
  ...more
})

const placeOf = (path: string, pages: readonly ShellPage[], viewer: Viewer | null) =>
  placeIn(path, { start: '/', pages, viewer })

const VIEWER = { tenantId: 'acme', role: 'viewer' }

test('a page also has the addresses below it; the longest address wins', async (t) => {
  const pages = [page('flows'), page('flows-old', { path: '/mail/flows/old' })]
  t.match(placeOf('/mail/flows/welcome', pages, VIEWER), { kind: 'page', page: { id: 'flows' } })
  t.match(placeOf('/mail/flows/old/1', pages, VIEWER), { kind: 'page', page: { id: 'flows-old' } })
  t.same(placeOf('/mail/flowsX', pages, VIEWER), { kind: 'shell' })
})

test('a mount that is not a page shows its first page', async (t) => {
  const pages = [
    page('z', { nav: { section: 'Mail', order: 1 } }),
    page('a', { nav: { section: 'Mail', order: 2 } })
  ]
  t.match(placeOf('/mail/', pages, VIEWER), { kind: 'page', page: { id: 'z' } })
  const own = page('home', { path: '/mail', nav: { section: 'Mail', order: 9 } })
  t.match(placeOf('/mail', [...pages, own], VIEWER), { kind: 'page', page: { id: 'home' } })
  t.same(placeOf('/mail/none', [own], VIEWER), { kind: 'shell' }, 'it has nothing below it')
})

test('the first page of a mount is the first that the viewer may open', async (t) => {
  const pages = [
    page('keys', { role: 'admin', nav: { section: 'Mail', order: 1 } }),
    page('list', { nav: { section: 'Mail', order: 2 } })
  ]
  t.match(placeOf('/mail', pages, VIEWER), { kind: 'page', page: { id: 'list' } })
  t.match(placeOf('/mail/keys', pages, VIEWER), { kind: 'refused' })
  t.same(placeOf('/mail/keys', pages, null), { kind: 'sign-in' })
  t.same(placeOf('/mail', pages, null), { kind: 'sign-in' })
  t.match(placeOf('/mail', pages.slice(0, 1), VIEWER), { kind: 'refused' })
})

test('a page of some tenants is refused to the others, and open to the platform', async (t) => {
  const pages = [page('clients', { tenants: ['acme'] })]
  const kindFor = (viewer: Viewer | null) => placeOf('/mail/clients', pages, viewer).kind
  t.equal(kindFor(VIEWER), 'page')
  t.equal(kindFor({ tenantId: '*', role: 'admin' }), 'page')
  t.equal(kindFor({ tenantId: 'globex', role: 'admin' }), 'refused')
  t.equal(kindFor(null), 'sign-in')
})

test('a platform without pages shows the shell to everyone', async (t) => {
  t.same(placeOf('/', [], null), { kind: 'shell' })
  t.same(placeOf('/gone/page', [], null), { kind: 'gone' })
})

test('addresses are compared without their last slash', async (t) => {
  t.equal(trimmed('/a//'), '/a')
  t.equal(trimmed('/'), '/')
  t.equal(isBelow('/a/b', '/a/'), true)
  t.equal(isBelow('/ab', '/a'), false)
  t.equal(isBelow('/a', '/'), false)
})
