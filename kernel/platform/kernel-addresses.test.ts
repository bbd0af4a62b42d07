// Where the kernel serves what it serves itself.
import { test } from 'tap'
import { groupOf, isOperation, kernelAddresses, prefixOf } from './kernel-addresses.ts'

test('without settings the addresses are the documented ones', async (t) => {
  t.match(kernelAddresses(), {
    prefix: '',
    health: '/health',
    metrics: '/metrics',
    docs: '/docs',
    openapi: '/openapi.json',
    shell: '/',
    nav: '/shell/nav',
    modules: '/shell/assets',
    pageErrors: '/shell/page-errors',
    signIn: '/login',
    assets: '/_assets',
    embed: '/embed',
    hasOwnAssets: false
  })
})

test('a prefix is before every address, moved ones too', async (t) => {
  const moved = kernelAddresses({ metrics: '/internal/metrics' }, '/platform/')
  t.equal(moved.metrics, '/platform/internal/metrics')
  t.equal(moved.shell, '/platform')
  t.equal(moved.nav, '/platform/shell/nav')
  t.equal(moved.assets, '/platform/_assets')
  t.same(['', '/', 'p', '/p/'].map(prefixOf), ['', '', '/p', '/p'])
})

test('false switches a group off; without the shell there is no sign-in and there are no files', async (t) => {
  const off = kernelAddresses({ docs: false, shell: false })
  t.equal(off.docs, undefined)
  t.same([off.shell, off.nav, off.modules, off.signIn, off.assets], Array(5).fill(undefined))
  t.equal(off.embed, '/embed')
})

test('the group of an address is found', async (t) => {
  const addresses = kernelAddresses({ shell: '/admin', health: false })
  const group = (address: string) => groupOf(addresses, address)
  t.same(['/metrics', '/docs/docs.css', '/embed/a/b.js', '/admin/shell/nav'].map(group), [
    'metrics',
    'docs',
    'embed',
    'shell'
  ])
  t.same(['/health/live', '/metrics/x', '/shell/nav', '/'].map(group), Array(4).fill(undefined))
})

test('health and metrics are operations, wherever they are', async (t) => {
  const addresses = kernelAddresses({ metrics: '/m' })
  t.same(
    ['/health/live', '/m', '/metrics', '/healthy'].map((at) => isOperation(addresses, at)),
    [true, true, false, false]
  )
})
