// Mounts and paths made addresses.
import { test } from 'tap'
import { sampleManifest } from '../testing/sample-manifest.ts'
import { joinAddress, mountOf, pageAddress, routeAddress, routeKey } from './addresses.ts'

const at = (mount: string) => ({ mount, prefix: '' })

test('a plugin is mounted where the config says, else the manifest, else its id', async (t) => {
  t.equal(mountOf(sampleManifest('alpha', { mount: '/a' }), '/b/'), '/b')
  t.equal(mountOf(sampleManifest('alpha', { mount: '/a' }), undefined), '/a')
  t.equal(mountOf(sampleManifest('alpha'), undefined), '/alpha')
  t.equal(mountOf(sampleManifest('alpha'), '/'), '/')
})

test('paths are below the mount, absolute addresses are not', async (t) => {
  t.equal(routeAddress(at('/alpha'), { path: '/x/:id' }), '/alpha/x/:id')
  t.equal(routeAddress(at('/alpha'), { path: '/' }), '/alpha')
  t.equal(routeAddress(at('/alpha'), {}), '/alpha')
  t.equal(routeAddress(at('/'), { path: '/x' }), '/x')
  t.equal(routeAddress(at('/alpha'), { at: '/.well-known/x' }), '/.well-known/x')
  t.equal(joinAddress('/', '/'), '/')
})

test('a page is at its id unless it declares an address', async (t) => {
  t.equal(pageAddress(at('/alpha'), { id: 'main' }), '/alpha/main')
  t.equal(pageAddress(at('/alpha'), { id: 'main', path: '/' }), '/alpha')
  t.equal(pageAddress(at('/alpha'), { id: 'main', at: '/account' }), '/account')
})

test('a slash at the end makes no other route', async (t) => {
  t.equal(routeKey('GET', '/alpha/'), 'GET /alpha')
  t.equal(routeKey('GET', ''), 'GET /')
})

test('a prefix is before everything but well-known addresses', async (t) => {
  t.equal(mountOf(sampleManifest('alpha'), undefined, '/p'), '/p/alpha')
  t.equal(mountOf(sampleManifest('alpha'), '/', '/p'), '/p')
  const placed = { mount: '/p/alpha', prefix: '/p' }
  t.equal(routeAddress(placed, { path: '/x' }), '/p/alpha/x')
  t.equal(routeAddress(placed, { at: '/login' }), '/p/login')
  t.equal(routeAddress(placed, { at: '/.well-known/x' }), '/.well-known/x')
  t.equal(routeAddress(placed, { at: '/:issuer/.well-known/x' }), '/:issuer/.well-known/x')
  t.equal(pageAddress(placed, { id: 'main', at: '/account' }), '/p/account')
})
