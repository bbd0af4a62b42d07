// Who is looking is asked once and kept.
import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { createViewers, type ResolveViewer, stateOf } from './viewer.ts'

const request = () => ({ headers: {} }) as unknown as FastifyRequest
const viewer = { tenantId: 'acme', role: 'viewer' }

const ask = (resolve: ResolveViewer | undefined, of = request()) =>
  new Promise<unknown>((settle) => {
    createViewers(() => resolve).ask(of, (error, found) => settle(error ?? found))
  })

test('a synchronous answer comes at once', async (t) => {
  let told: unknown = 'not yet'
  createViewers(() => () => viewer).ask(request(), (_error, found) => {
    told = found
  })
  t.equal(told, viewer)
})

test('an answer that takes its time is waited for', async (t) => {
  t.equal(await ask(async () => viewer), viewer)
  t.equal(await createViewers(() => async () => viewer).of(request()), viewer)
})

test('a request that is not signed in, and no resolver at all, are null', async (t) => {
  t.equal(await ask(async () => null), null)
  t.equal(await ask(() => undefined), null)
  t.equal(await ask(undefined), null)
})

test('a request is asked about once, however often its viewer is wanted', async (t) => {
  let calls = 0
  const viewers = createViewers(() => async () => {
    calls++
    return viewer
  })
  const one = request()
  const found = await Promise.all([viewers.of(one), viewers.of(one)])
  t.same(found, [viewer, viewer])
  t.equal(await viewers.of(one), viewer)
  await new Promise<void>((settle) => viewers.ask(one, () => settle()))
  t.equal(calls, 1)
  t.equal(stateOf(one).viewer, viewer)
})

test('a resolver that fails opens nothing', async (t) => {
  const failing: ResolveViewer[] = [
    () => {
      throw new Error('the store is away')
    },
    async () => {
      throw new Error('the store is away')
    }
  ]
  for (const resolve of failing) {
    t.match(await ask(resolve), { code: 'KRN_VIEWER_FAILED', status: 500 })
    await t.rejects(createViewers(() => resolve).of(request()), { code: 'KRN_VIEWER_FAILED' })
  }
})

for (const [field, answer] of [
  ['tenantId', { role: 'admin' }],
  ['tenantId', { tenantId: '', role: 'admin' }],
  ['tenantId', { tenantId: ' ', role: 'admin' }],
  ['role', { tenantId: 'acme' }],
  ['role', { tenantId: 'acme', role: '' }]
] as const) {
  test(`a viewer ${JSON.stringify(answer)} is an error of the resolver`, async (t) => {
    const expected = { code: 'KRN_VIEWER_INVALID', status: 500, message: `${field} is missing` }
    t.match(await ask(() => answer as never), expected)
    t.match(await ask(async () => answer as never), expected)
    await t.rejects(createViewers(() => async () => answer as never).of(request()), expected)
  })
}
