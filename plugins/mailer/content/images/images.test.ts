// Uploaded pictures: what is taken, how it is served, who keeps it.
import fc from 'fast-check'
import { type Test, test } from 'tap'
import type { ImageStore } from '../../contracts/mailer-images.ts'
import { openAdmin } from '../../test/open-admin.ts'
import { publicApp } from '../../test/public-app.ts'
import { testContext } from '../../test/test-context.ts'
import { imageFacts } from './image-facts.ts'
import { addImage, IMAGE_LIMITS, readImage, removeImage } from './keep-images.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
const GIF = Buffer.from('R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')
const JPEG = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc0000b0800070005010111000000',
  'hex'
)
const acting = { actor: 'human:ann@example.test' }

test('a picture is what its bytes are, whatever its name says', async (t) => {
  t.same(imageFacts(PNG), { type: 'png', width: 1, height: 1 })
  t.same(imageFacts(GIF), { type: 'gif', width: 3, height: 2 })
  t.same(imageFacts(WEBP), { type: 'webp', width: 1, height: 1 })
  t.same(imageFacts(JPEG), { type: 'jpeg', width: 5, height: 7 })
  const huge = Buffer.from(PNG)
  huge.writeUInt32BE(200_000, 16)
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!doctype html>',
    '',
    'GIF89a',
    '%PDF-1.7'
  ]
  for (const bytes of [huge, ...others.map((text) => Buffer.from(text))])
    t.equal(imageFacts(bytes), undefined)
})

test('no bytes break the reader', async (t) => {
  const starts = [PNG, GIF, WEBP, JPEG].map((bytes) => bytes.subarray(0, 16))
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 64 }), (start, rest) => {
      const facts = imageFacts(Buffer.concat([start, rest]))
      t.ok(facts === undefined || (facts.width > 0 && facts.width <= 10_000))
    })
  )
})

async function open(t: Test) {
  const kit = await openAdmin(t)
  const send = async (name: string, payload: Buffer) => {
    const url = `/admin/mailer/api/images?name=${encodeURIComponent(name)}`
    const headers = { 'content-type': 'application/octet-stream' }
    const reply = await kit.app.inject({ method: 'POST', url, headers, payload })
    return { status: reply.statusCode, body: reply.json() }
  }
  const site = await publicApp(t, kit.mailer.getRunnerContext())
  return { ...kit, send, site }
}

test('a picture is uploaded, served for good, and deleted when nothing shows it', async (t) => {
  const { call, send, site, mailer } = await open(t)
  const { status, body } = await send('logo.png', PNG)
  t.equal(status, 201)
  t.match(body, { name: 'logo.png', type: 'png', width: 1, height: 1, size: PNG.length })
  t.equal((await send('again.gif', PNG)).body.id, body.id, 'the same bytes are the same picture')
  const { pathname: url } = new URL(body.url)
  const served = await site.inject({ url })
  t.same(served.rawPayload, PNG)
  t.match(served.headers, {
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff'
  })
  for (const other of [
    url.replace('.png', '.gif'),
    '/m/image/none.png',
    '/m/image/..%2f..%2fa.png'
  ])
    t.equal((await site.inject({ url: other })).statusCode, 404, other)
  t.match((await call('GET', '/images')).body, [{ id: body.id }])
  await call('POST', '/templates', { slug: 'shown', name: 'Shown', kind: 'marketing' })
  await call('PATCH', '/templates/shown/draft', { html: `<img src="${body.url}">` })
  const used = await call('DELETE', `/images/${body.id}`)
  t.match(used, { status: 409, body: { error: 'image_in_use', message: /shown/ } })
  await call('PATCH', '/templates/shown/draft', { html: '<p>a</p>' })
  t.equal((await call('DELETE', `/images/${body.id}`)).status, 200)
  t.equal((await site.inject({ url })).statusCode, 404)
  t.equal((await call('DELETE', `/images/${body.id}`)).status, 404)
  const actions = await mailer.collections.auditLog.distinct('action', { action: /^image/ })
  t.same(actions, ['image.delete', 'image.upload'])
})

test('a file that is not a picture, is too large or is one too many is refused', async (t) => {
  const { send, mailer } = await open(t)
  t.match(await send('a.png', Buffer.from('<svg/>')), {
    status: 422,
    body: { error: 'not_an_image' }
  })
  const large = Buffer.concat([PNG, Buffer.alloc(IMAGE_LIMITS.bytes)])
  t.equal((await send('large.png', large)).status, 413)
  t.equal(await mailer.collections.images.countDocuments(), 0)
  const row = { name: 'x', type: 'png', width: 1, height: 1, size: 1, createdBy: 'a' } as const
  const createdAt = new Date(0)
  await mailer.collections.images.insertMany(
    Array.from({ length: IMAGE_LIMITS.count }, (_, at) => ({ ...row, _id: `x${at}`, createdAt }))
  )
  t.match(await send('a.png', PNG), { status: 409, body: { error: 'too_many_images' } })
})

test('a plugin may keep the bytes', async (t) => {
  const kept = new Map<string, Uint8Array>()
  const store: ImageStore = {
    put: async (id, bytes) => void kept.set(id, bytes),
    read: async (id) => kept.get(id) ?? null,
    remove: async (id) => void kept.delete(id)
  }
  const { context } = await testContext(t, { extensions: { imageStore: () => store } })
  const added = await addImage(context, { name: 'a.gif', bytes: GIF }, acting)
  if (!added.ok) throw new Error(added.message)
  const { id } = added.image
  t.notOk('bytes' in ((await context.collections.images.findOne({ _id: id })) ?? {}))
  t.same((await readImage(context, { id, end: 'gif' }))?.bytes, GIF)
  await removeImage(context, id, acting)
  t.equal(kept.size, 0)
})

test('the list of pictures follows its index', async (t) => {
  const { context } = await testContext(t)
  const plan = await context.collections.images
    .find({})
    .sort({ createdAt: -1, _id: -1 })
    .limit(500)
    .explain('queryPlanner')
  t.match(JSON.stringify(plan), /IXSCAN/)
})
