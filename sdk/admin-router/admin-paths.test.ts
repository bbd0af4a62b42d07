// Which route an address means.
import fc from 'fast-check'
import { test } from 'tap'
import { addressForm, routeFinder } from './admin-paths.ts'

const routes = [
  { method: 'GET', path: '/dmarc' },
  { method: 'GET', path: '/dmarc/:domain' },
  { method: 'GET', path: '/dmarc/monitoring' },
  { method: 'PUT', path: '/dmarc/sources/:ip' }
] as const

test('an address finds its route and the decoded parameters', (t) => {
  const find = routeFinder(routes)
  t.match(find('GET', '/dmarc'), { route: routes[0], params: {} })
  t.match(find('PUT', '/dmarc/sources/192.0.2.0%2F24'), {
    route: routes[3],
    params: { ip: '192.0.2.0/24' }
  })
  t.equal(find('GET', '/dmarc/sources/192.0.2.1'), undefined, 'another method')
  t.equal(find('GET', '/dmarc/%zz'), undefined, 'cannot be decoded')
  t.equal(find('GET', '/'), undefined)
  t.end()
})

test('a fixed part wins over a parameter, whatever the order of the routes', (t) => {
  for (const order of [routes, [...routes].reverse()]) {
    t.equal(routeFinder(order)('GET', '/dmarc/monitoring')?.route.path, '/dmarc/monitoring')
  }
  t.end()
})

test('routes that answer the same requests have one form', (t) => {
  const form = (path: string) => addressForm({ method: 'GET', path })
  t.equal(form('/a/:one/b'), form('/a/:two/b/'))
  t.not(form('/a/:one/b'), form('/a/b/:one'))
  t.end()
})

test('every parameter comes back as it was encoded into the address', (t) => {
  const find = routeFinder(routes)
  const values = fc.string({ minLength: 1, unit: 'grapheme' })
  fc.assert(
    fc.property(values, (ip) => {
      const found = find('PUT', `/dmarc/sources/${encodeURIComponent(ip)}`)
      return found?.params['ip'] === ip
    })
  )
  t.end()
})
