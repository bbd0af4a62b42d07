// What plugins owe each other.
import { test } from 'tap'
import { sampleManifest, sampleRoute } from '../testing/sample-manifest.ts'
import { checkAgreement, needsOf, usedBy } from './agreement.ts'
import { kernelAddresses } from './kernel-addresses.ts'
import { toKnown } from './validate.ts'

const known = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  toKnown(sampleManifest(id, more), { folder: undefined, entry: {} }, '')

const problems = (enabled: ReturnType<typeof known>[], disabled: ReturnType<typeof known>[] = []) =>
  checkAgreement({ enabled, disabled, addresses: kernelAddresses() }).map(({ code, message }) => [
    code,
    message
  ])

test('plugins that agree have no problem', async (t) => {
  const base = known('base', { provides: ['base.store/v1'], extensionPoints: ['base.points/v1'] })
  const alpha = known('alpha', {
    requires: { base: '^1.0.0' },
    uses: ['base.store/v1', 'base.points/v1', 'kernel.request-spans/v1']
  })
  t.same(problems([alpha, base]), [])
})

test('a required plugin must be here, in a version that fits', async (t) => {
  t.match(problems([known('alpha', { requires: { ghost: '*' } })]), [
    ['KRN_REQUIRES_MISSING', /requires\.ghost/]
  ])
  t.match(problems([known('base'), known('alpha', { requires: { base: '^2.0.0' } })]), [
    ['KRN_REQUIRES_VERSION', /requires\.base.*\^2\.0\.0.*1\.0\.0/]
  ])
})

test('an optional plugin may be away, but must fit when it is here', async (t) => {
  t.same(problems([known('alpha', { optional: { ghost: '*' } })]), [])
  t.match(problems([known('base'), known('alpha', { optional: { base: '^2.0.0' } })]), [
    ['KRN_REQUIRES_VERSION', /optional\.base/]
  ])
})

test('a circle is printed as a path', async (t) => {
  const circle = [
    known('a', { requires: { b: '*' } }),
    known('b', { requires: { c: '*' } }),
    known('c', { requires: { a: '*' } })
  ]
  t.match(problems(circle), [['KRN_CYCLE', /a → b → c → a/]])
})

test('a used capability must be provided by a plugin, unless it is optional', async (t) => {
  t.match(problems([known('alpha', { uses: ['x.y/v1'] })]), [
    ['KRN_CAPABILITY_MISSING', /uses\[0\].*x\.y/]
  ])
  t.same(problems([known('alpha', { uses: [{ capability: 'x.y/v1', optional: true }] })]), [])
  t.same(
    problems([known('alpha', { uses: ['x.y/v1'] })], [known('beta', { provides: ['x.y/v1'] })]),
    []
  )
})

test('a bearer route needs a protection', async (t) => {
  const routes = [
    sampleRoute('GET', '/a'),
    sampleRoute('GET', '/t', { auth: 'bearer', scopes: ['t'] })
  ]
  t.match(problems([known('alpha', { routes })]), [
    ['KRN_CAPABILITY_MISSING', /routes\[1\]\.auth.*oauth\.protect\/v1/]
  ])
  const declared = { routes, uses: ['oauth.protect/v1'] }
  t.equal(usedBy(sampleManifest('alpha', declared)).length, 1)
})

test('a capability and an extension point have one owner', async (t) => {
  const provider = { provides: ['x.y/v1'] }
  t.match(problems([known('a', provider), known('b', provider)]), [
    ['KRN_CAPABILITY_TAKEN', /plugin a/]
  ])
  t.match(problems([known('a', { extensionPoints: ['kernel.request-spans/v1'] })]), [
    ['KRN_CAPABILITY_TAKEN', /extensionPoints\[0\].*the kernel/]
  ])
})

test('a collection has one owner', async (t) => {
  const collections = [{ name: 'al_x_items', indexes: [] }]
  t.match(problems([known('al', { collections }), known('al-x', { collections })]), [
    ['KRN_COLLECTION_TAKEN', /al-x.*al_x_items.*plugin al\b/]
  ])
})

test('an address has one owner, and those of the kernel are taken', async (t) => {
  const route = (path: string) => ({ mount: '/m', routes: [sampleRoute('GET', path)] })
  t.match(problems([known('a', route('/x')), known('b', route('/x'))]), [
    ['KRN_ROUTE_CLASH', /b: routes\[0\].*GET \/m\/x.*a serves/]
  ])
  t.match(problems([known('a', { mount: '/health', routes: [sampleRoute('GET', '/x')] })]), [
    ['KRN_ROUTE_CLASH', /the kernel \(addresses\.health\) serves/]
  ])
  const page = { id: 'x', element: 'b-x', module: './x.js', title: 'X', role: 'viewer' }
  t.match(problems([known('a', route('/x')), known('b', { mount: '/m', pages: [page] })]), [
    ['KRN_ROUTE_CLASH', /b: pages\[0\]/]
  ])
})

test('a plugin that extends a point may come before or after its owner', async (t) => {
  const plugins = [
    known('a', { uses: ['c.points/v1'] }),
    known('c', { extensionPoints: ['c.points/v1'] })
  ]
  t.same(needsOf(plugins)[0], { id: 'a', hard: [], soft: [] })
})

test('providers come before users, requirements before all', async (t) => {
  const plugins = [
    known('a', { requires: { b: '*' }, optional: { d: '*' }, uses: ['c.x/v1', 'a.x/v1'] }),
    known('c', { provides: ['c.x/v1'] })
  ]
  t.same(needsOf(plugins)[0], { id: 'a', hard: ['b', 'd'], soft: ['c'] })
})
