// The order of the navigation, and who sees what of it.
import { test } from 'tap'
import { buildNav, orderedPages, type PlacedPage } from './build-nav.ts'

const page = (id: string, more: Partial<PlacedPage> = {}): PlacedPage => ({
  plugin: 'mail',
  id,
  title: id,
  path: `/mail/${id}`,
  element: `mail-${id}`,
  role: 'viewer',
  apiBase: '/mail',
  ...more
})

const VIEWER = { tenantId: 'acme', role: 'viewer' }

test('sections are in the order of their first pages, equals by name', async (t) => {
  const pages = [
    page('b', { nav: { section: 'Second', order: 20 } }),
    page('c', { nav: { section: 'Zeta' } }),
    page('d', { nav: { section: 'Alpha' } }),
    page('e', { nav: { section: 'Alpha' }, title: 'A first' }),
    page('a', { nav: { section: 'Öl & Gas', order: 1 } }),
    page('hidden')
  ]
  t.same(
    orderedPages(pages).map(({ id }) => id),
    ['a', 'b', 'e', 'd', 'c', 'hidden']
  )
  const nav = buildNav({
    title: 'T',
    pages,
    viewer: VIEWER,
    routes: [],
    moduleOf: ({ id }) => `/m/${id}`,
    settingsOf: () => undefined
  })
  t.same(
    nav.sections.map(({ id }) => id),
    ['öl-gas', 'second', 'alpha', 'zeta']
  )
  t.same(nav.settings, { mail: {} })
})

test('a section whose name holds no letter still has an id', async (t) => {
  const nav = buildNav({
    title: 'T',
    pages: [page('a', { nav: { section: '—' }, apiBase: '' })],
    viewer: VIEWER,
    routes: [],
    moduleOf: () => '/m',
    settingsOf: () => ({ a: 1 })
  })
  t.match(nav.sections, [{ id: 'section', pages: [{ mount: '/' }] }])
})

test('without a viewer every page is listed, and only the server decides what may be called', async (t) => {
  const nav = buildNav({
    title: 'T',
    pages: [page('keys', { role: 'admin', nav: { section: 'Mail', icon: 'key' } })],
    moduleOf: () => '/m',
    settingsOf: () => undefined
  })
  t.match(nav.sections, [{ pages: [{ id: 'keys', icon: 'key', module: '/m', mount: '/mail' }] }])
  t.same([nav.viewer, nav.routes], [undefined, undefined])
})

test('pages of other tenants are not in the navigation', async (t) => {
  const pages = [
    page('clients', { nav: { section: 'OAuth' }, tenants: ['globex'] }),
    page('mine', { nav: { section: 'OAuth' } })
  ]
  const idsFor = (tenantId: string) =>
    buildNav({
      title: 'T',
      pages,
      viewer: { tenantId, role: 'admin' },
      moduleOf: ({ id }) => `/m/${id}`,
      settingsOf: () => undefined
    }).sections.flatMap((section) => section.pages.map(({ id }) => id))
  t.same(idsFor('acme'), ['mine'])
  t.same(idsFor('globex'), ['clients', 'mine'])
  t.same(idsFor('*'), ['clients', 'mine'])
})
