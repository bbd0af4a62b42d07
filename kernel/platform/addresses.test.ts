// Mounts and paths made addresses.
import { test } from 'tap'
import { sampleManifest } from '../testing/sample-manifest.ts'
import {
  belowPrefix,
  isReserved,
  joinAddress,
  mountOf,
  pageAddress,
  routeAddress,
  routeKey
} from './addresses.ts'

test('a plugin is mounted where the config says, else the manifest, else its id', async (t) => {
  t.equal(mountOf(sampleManifest('alpha', { mount: '/a' }), '/b/'), '/b')
  t.equal(mountOf(sampleManifest('alpha', { mount: '/a' }), undefined), '/a')
  t.equal(mountOf(sampleManifest('alpha'), undefined), '/alpha')
  t.equal(mountOf(sampleManifest('alpha'), '/'), '/')
})

test('paths are below the mount, absolute addresses are not', async (t) => {
  t.equal(routeAddress('/alpha', { path: '/x/:id' }), '/alpha/x/:id')
  t.equal(routeAddress('/alpha', { path: '/' }), '/alpha')
  t.equal(routeAddress('/alpha', {}), '/alpha')
  t.equal(routeAddress('/', { path: '/x' }), '/x')
  t.equal(routeAddress('/alpha', { at: '/.well-known/x' }), '/.well-known/x')
  t.equal(joinAddress('/', '/'), '/')
})

test('a page stands at its id unless it says where', async (t) => {
  t.equal(pageAddress('/alpha', { id: 'main' }), '/alpha/main')
  t.equal(pageAddress('/alpha', { id: 'main', path: '/' }), '/alpha')
  t.equal(pageAddress('/alpha', { id: 'main', at: '/account' }), '/account')
})

test('a slash at the end makes no other route', async (t) => {
  t.equal(routeKey('GET', '/alpha/'), 'GET /alpha')
  t.equal(routeKey('GET', ''), 'GET /')
})

test('the addresses of the kernel are reserved', async (t) => {
  for (const address of [
    '/health/live',
    '/metrics',
    '/docs',
    '/docs/x',
    '/shell/nav',
    '/embed/a/b.js'
  ]) {
    t.ok(isReserved(address), address)
  }
  for (const address of ['/', '/healthy', '/metrics/x', '/login'])
    t.notOk(isReserved(address), address)
})

test('a scope with a prefix sees addresses below it', async (t) => {
  t.equal(belowPrefix('', '/a'), '/a')
  t.equal(belowPrefix('/', '/a'), '/a')
  t.equal(belowPrefix('/scope', '/scope/a'), '/a')
  t.equal(belowPrefix('/scope', '/scope'), '/')
  t.equal(belowPrefix('/scope', '/scoped/a'), undefined)
})
